/** Without a sign of the reader for so long, the page is open but not read. */
const IDLE_MS = 60_000;
/** The most that one heartbeat may count. */
const MAX_SECONDS = 30;

/** How long a person has read. Times are in milliseconds. */
export class ReadingTime {
  #lastSign: number;
  #countedTo: number;
  #isVisible: boolean;
  #readMs = 0;

  constructor(now: number, isVisible: boolean) {
    this.#lastSign = now;
    this.#countedTo = now;
    this.#isVisible = isVisible;
  }

  /** The reader has done something. The pause before it does not count. */
  sign(now: number): void {
    this.#count(now);
    this.#lastSign = now;
  }

  /** The tab is shown or hidden. */
  turn(now: number, isVisible: boolean): void {
    this.#count(now);
    this.#isVisible = isVisible;
    if (isVisible) this.#lastSign = now;
  }

  isIdle(now: number): boolean {
    return now - this.#lastSign >= IDLE_MS;
  }

  /** The whole seconds since the last call. What a heartbeat may not count is lost. */
  take(now: number): number {
    this.#count(now);
    const seconds = Math.floor(this.#readMs / 1000);
    this.#readMs -= seconds * 1000;
    return Math.min(MAX_SECONDS, seconds);
  }

  #count(now: number): void {
    const readTo = Math.min(now, this.#lastSign + IDLE_MS);
    if (this.#isVisible && readTo > this.#countedTo) this.#readMs += readTo - this.#countedTo;
    this.#countedTo = now;
  }
}
