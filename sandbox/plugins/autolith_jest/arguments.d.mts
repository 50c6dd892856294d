export function jestArguments(
  words: readonly string[],
  request: { readonly select: readonly string[] | null; readonly shuffleSeed: number | null },
  plugin: { readonly reporter: string; readonly version: string },
): string[];
