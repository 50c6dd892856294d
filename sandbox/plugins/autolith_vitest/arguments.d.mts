export function vitestArguments(
  words: readonly string[],
  request: { readonly select: readonly string[] | null; readonly shuffleSeed: number | null },
  reporter: string,
): string[] | null;
