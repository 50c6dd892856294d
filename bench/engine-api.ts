import { once } from "node:events";
import type { Engine } from "../src/sandbox/engine.ts";

const command = ["python3", "-c", "print(1 + 1)"];

/** What `docker exec CONTAINER python3 -c` does, by the engine's API: no time is lost in starting a client. */
export async function execPython(engine: Engine, containerId: string): Promise<void> {
  const container = engine.docker.getContainer(containerId);
  const exec = await container.exec({ Cmd: command, AttachStdout: true, AttachStderr: true });
  await ended(await exec.start({}));
  const { ExitCode } = await exec.inspect();
  if (ExitCode !== 0) throw new Error(`python3 in docker exec ended with status ${ExitCode}`);
}

/** What `docker run --rm --network none IMAGE python3 -c` does until its status is known, by the engine's API. */
export async function runPython(engine: Engine, image: string): Promise<void> {
  const container = await engine.docker.createContainer({
    Image: image,
    Cmd: command,
    HostConfig: { AutoRemove: true, NetworkMode: "none" },
  });
  const output = await container.attach({ stream: true, stdout: true, stderr: true });
  const exit = container.wait({ condition: "next-exit" });
  await container.start();
  await ended(output);
  const { StatusCode } = await exit;
  if (StatusCode !== 0) throw new Error(`python3 in docker run ended with status ${StatusCode}`);
}

async function ended(stream: NodeJS.ReadableStream): Promise<void> {
  stream.resume();
  await once(stream, "end");
}
