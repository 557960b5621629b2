/** Reads the source of one event source mapping and calls its function. */
export interface Poller {
  readonly lastResult: string;
  stop(): Promise<void>;
}
