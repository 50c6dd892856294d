import { access } from "node:fs/promises";

/** Whether there is something at the path, as far as this process can see. */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
