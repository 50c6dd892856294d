import type { SimpleCommand } from "./shell-words.ts";
import { peelWrappers } from "./wrappers.ts";

const installs =
  /^(?:(?:npm|pnpm|bun) (?:ci|i|install|clean-install)|corepack enable|pip3? install|uv (?:sync|pip install|pip sync)|(?:poetry|pdm|pipenv) (?:install|sync)|(?:sudo )?apt(?:-get)? (?:-\S+ )*(?:update|install))(?= |$)/;
/** yarn installs when it is given nothing but options. */
const yarnInstall = /^yarn(?: install)?(?: -\S+)*$/;

/** True for a command that only installs packages. */
export function isInstall({ words }: SimpleCommand): boolean {
  const text = peelWrappers(words)
    .map(({ value, raw }) => value ?? raw)
    .join(" ");
  return installs.test(text) || yarnInstall.test(text);
}
