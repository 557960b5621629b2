import { DataError } from '../../platform/errors/data-error.ts';
import type { LogEvent } from './change-reader.ts';
import { LogDecoder, lsnAt } from './decode-log.ts';
import type { Lsn } from './lsn.ts';

/** When nothing came for so long, what is there is all there is. */
const QUIET_MS = 200;
/** A look ends with the next commit after so long, even though more comes. */
const LOOK_MS = 1_000;
/** The server is stopped while more waits than this. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

const [LOG, ALIVE] = [...'wk'].map((tag) => tag.charCodeAt(0));
/** Kind, position, end of the log and instant stand before the content. */
const LOG_HEAD = 25;

export interface Sender {
  pause(): void;
  resume(): void;
  /** Tells it how far we are, as it wants from time to time. */
  answer(): void;
  /** Has it say how far it is. */
  ask(): void;
}

/** What a server sends of its log, from its arrival until it is read. */
export class LogArrivals {
  readonly #sender: Sender;
  readonly #decoder = new LogDecoder();
  #waiting: LogEvent[] = [];
  #bytes = 0;
  #isStopped = false;
  /** Whether what was read last has ended in the middle of a transaction. */
  #isOpen = false;
  /** How far the server has sent everything; null after something came, until it says so again. */
  #sentUpTo: Lsn | null = null;
  #failure: DataError | undefined;
  /** Whether the look under way has found something: then it ends as soon as the server has sent everything. */
  #hasFound = false;
  #wake: () => void = () => {};

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** One message of the server. */
  take(message: Buffer): void {
    try {
      if (message[0] === LOG) this.#log(message);
      else if (message[0] === ALIVE) this.#alive(message);
    } catch (cause) {
      this.fail(new DataError('CONNECTION_FAILED', 'The server sent what cannot be read.', { cause }));
    }
  }

  #log(message: Buffer): void {
    const event = this.#decoder.decode(message, LOG_HEAD);
    if (!event) return;
    this.#sentUpTo = null;
    this.#waiting.push(event);
    this.#bytes += message.length;
    if (this.#waiting.length === 1) this.#wake();
    if (this.#isStopped || this.#bytes < MAX_WAITING_BYTES) return;
    this.#isStopped = true;
    this.#sender.pause();
  }

  #alive(message: Buffer): void {
    this.#sentUpTo = lsnAt(message, 1);
    // Whoever answers every sign of life gets one for every answer.
    if (message[17] === 1) this.#sender.answer();
    if (this.#hasFound) this.#wake();
  }

  fail(error: DataError): void {
    this.#failure ??= error;
    this.#wake();
  }

  failed(): void {
    if (this.#failure) throw this.#failure;
  }

  async *read(): AsyncGenerator<LogEvent[]> {
    const end = performance.now() + LOOK_MS;
    this.#hasFound = false;
    for (;;) {
      this.failed();
      if (this.#waiting.length > 0) {
        const isLate = performance.now() > end;
        yield this.#next(isLate);
        this.#hasFound = true;
        if (!isLate || this.#isOpen) continue;
        yield [{ kind: 'idle', lsn: null }];
        return;
      }
      if (this.#isOpen || !(this.#hasFound && this.#sentUpTo !== null)) {
        this.#sender.ask();
        if (!(await this.#quiet()) || this.#isOpen) continue;
      }
      yield [{ kind: 'idle', lsn: this.#sentUpTo }];
      return;
    }
  }

  /** What waits; up to the last commit when it is time to come to an end. */
  #next(toCommit: boolean): LogEvent[] {
    const all = this.#waiting;
    const count = (toCommit && all.findLastIndex(({ kind }) => kind === 'commit') + 1) || all.length;
    this.#waiting = all.slice(count);
    this.#bytes *= this.#waiting.length / all.length;
    if (this.#isStopped && this.#bytes < MAX_WAITING_BYTES) {
      this.#isStopped = false;
      this.#sender.resume();
    }
    const next = all.slice(0, count);
    const edge = next.findLast(({ kind }) => kind === 'begin' || kind === 'commit');
    if (edge) this.#isOpen = edge.kind === 'begin';
    return next;
  }

  /** Whether nothing came for a moment. */
  #quiet(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(this.#waiting.length === 0 && !this.#failure), QUIET_MS);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = () => {};
        resolve(false);
      };
    });
  }
}
