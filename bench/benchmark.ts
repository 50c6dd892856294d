/** What a benchmark found. */
export interface Benchmark {
  /** A table for people. */
  readonly text: string;
  /** The same as data; ratios are the contract, times depend on the machine. */
  readonly figures: Readonly<Record<string, unknown>>;
}
