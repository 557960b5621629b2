import { DataError } from '../../../platform/errors/data-error.ts';
import type { LogEvent } from './change-reader.ts';
import { LogDecoder, lsnAt } from './decode-log.ts';
import type { Lsn } from './lsn.ts';

/** If nothing arrives for this long, everything has been received. */
const QUIET_MS = 200;
/** A read ends with the first commit after this time, even if more changes arrive. */
const MAX_READ_MS = 1_000;
/** The server is paused while more than this is buffered. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

const [LOG, KEEPALIVE] = [...'wk'].map((tag) => tag.charCodeAt(0));
/** Tag, position, end of the log and time precede the content. */
const LOG_HEAD = 25;

export interface Sender {
  pause(): void;
  resume(): void;
  /** Sends the confirmed position, which the server requests from time to time. */
  sendStatus(): void;
  /** Asks the server for its position. */
  requestPosition(): void;
}

/** Buffers the log that a server sends until it is read. */
export class ReplicationFeed {
  readonly #sender: Sender;
  readonly #decoder = new LogDecoder();
  #buffered: LogEvent[] = [];
  #bytes = 0;
  #isPaused = false;
  /** Whether the last read events end within a transaction. */
  #isOpen = false;
  /**
   * The position up to which the server has sent everything; null after an event, until the server reports it again.
   */
  #sentUpTo: Lsn | null = null;
  #failure: DataError | undefined;
  /** Whether the current read has yielded events; it then ends as soon as the server has sent everything. */
  #hasEvents = false;
  #wake: () => void = () => {};

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** Handles one message of the server. */
  receive(message: Buffer): void {
    try {
      if (message[0] === LOG) this.#log(message);
      else if (message[0] === KEEPALIVE) this.#keepalive(message);
    } catch (cause) {
      this.fail(new DataError('CONNECTION_FAILED', 'The server sent a message that cannot be decoded.', { cause }));
    }
  }

  #log(message: Buffer): void {
    const event = this.#decoder.decode(message, LOG_HEAD);
    if (!event) return;
    this.#sentUpTo = null;
    this.#buffered.push(event);
    this.#bytes += message.length;
    if (this.#buffered.length === 1) this.#wake();
    if (this.#isPaused || this.#bytes < MAX_BUFFERED_BYTES) return;
    this.#isPaused = true;
    this.#sender.pause();
  }

  #keepalive(message: Buffer): void {
    this.#sentUpTo = lsnAt(message, 1);
    // Replies only on request: the server replies to every status with another keepalive.
    if (message[17] === 1) this.#sender.sendStatus();
    if (this.#hasEvents) this.#wake();
  }

  fail(error: DataError): void {
    this.#failure ??= error;
    this.#wake();
  }

  throwIfFailed(): void {
    if (this.#failure) throw this.#failure;
  }

  async *read(): AsyncGenerator<LogEvent[]> {
    const end = performance.now() + MAX_READ_MS;
    this.#hasEvents = false;
    for (;;) {
      this.throwIfFailed();
      if (this.#buffered.length > 0) {
        const isLate = performance.now() > end;
        yield this.#next(isLate);
        this.#hasEvents = true;
        if (!isLate || this.#isOpen) continue;
        yield [{ kind: 'idle', lsn: null }];
        return;
      }
      if (this.#isOpen || !(this.#hasEvents && this.#sentUpTo !== null)) {
        this.#sender.requestPosition();
        if (!(await this.#isQuiet()) || this.#isOpen) continue;
      }
      yield [{ kind: 'idle', lsn: this.#sentUpTo }];
      return;
    }
  }

  /** Takes the buffered events; only up to the last commit if the read has to end. */
  #next(toCommit: boolean): LogEvent[] {
    const all = this.#buffered;
    const count = (toCommit && all.findLastIndex(({ kind }) => kind === 'commit') + 1) || all.length;
    this.#buffered = all.slice(count);
    this.#bytes *= this.#buffered.length / all.length;
    if (this.#isPaused && this.#bytes < MAX_BUFFERED_BYTES) {
      this.#isPaused = false;
      this.#sender.resume();
    }
    const next = all.slice(0, count);
    const edge = next.findLast(({ kind }) => kind === 'begin' || kind === 'commit');
    if (edge) this.#isOpen = edge.kind === 'begin';
    return next;
  }

  /** Waits for a moment; returns whether nothing arrived. */
  #isQuiet(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(this.#buffered.length === 0 && !this.#failure), QUIET_MS);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = () => {};
        resolve(false);
      };
    });
  }
}
