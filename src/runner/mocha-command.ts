/** mocha's program and the scripts behind it, in all of its versions; `ts-mocha` starts it with a compiler in front. */
const program = /(?:^|\/)(?:_?mocha|ts-mocha)(?:\.js)?$/;
/** Under these it runs no tests, or never ends. */
const otherwise = /^(?:-w|--watch|--dry-run|--list-(?:reporters|interfaces)|-h|--help|-V|--version|init|inspect)$/;

/** True for the words of a command that runs mocha's tests, `node` in front of it or not. */
export function isMocha(words: readonly string[]): boolean {
  const isNode = words[0]?.split("/").at(-1) === "node";
  const at = isNode ? words.findIndex((word, index) => index > 0 && isScript(word)) : 0;
  return program.test(words[at] ?? "") && !words.slice(at + 1).some((word) => otherwise.test(word));
}

/** Behind node's options and their values, which are modules as often. */
function isScript(word: string): boolean {
  return program.test(word) && /(?:^|\/)(?:\.bin|mocha\/bin|ts-mocha\/bin)\//.test(word);
}
