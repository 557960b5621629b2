import type { ObjectStore } from '../objects/object-store.ts';

const MOST_LINES = 1000;
const MOST_BYTES = 1024 * 1024;
const LONGEST_MESSAGE = 4000;

export const LOG_LEVELS = ['info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogLine {
  at: string;
  level: LogLevel;
  message: string;
}

export interface LogTail {
  lines: LogLine[];
  /** Earlier lines were left out. */
  truncated: boolean;
  totalBytes: number;
}

export interface LogOptions {
  mask(text: string): string;
  now(): Date;
  /** Sets the objects of another writer of the same log apart. Sorts after those of the attempt itself, which have none. */
  part?: string;
}

/** The log of one attempt. Objects cannot grow, so each flush writes the new lines as an object of its own. */
export class StepLog {
  readonly #objects: ObjectStore;
  readonly #prefix: string;
  readonly #mask: (text: string) => string;
  readonly #now: () => Date;
  readonly #part: string;
  #lines: LogLine[] = [];
  #parts = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(objects: ObjectStore, attemptPrefix: string, options: LogOptions) {
    this.#objects = objects;
    this.#prefix = logPrefix(attemptPrefix);
    this.#mask = options.mask;
    this.#now = options.now;
    this.#part = options.part ?? '';
  }

  write(level: LogLevel, message: string): void {
    const text = this.#mask(message).slice(0, LONGEST_MESSAGE);
    this.#lines.push({ at: this.#now().toISOString(), level, message: text });
  }

  /** Stores what was written since the last time. */
  flush(): Promise<void> {
    if (this.#lines.length === 0) return this.#writing;
    const text = this.#lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    this.#lines = [];
    this.#parts += 1;
    const key = `${this.#prefix}${this.#part}${String(this.#parts).padStart(6, '0')}.jsonl`;
    this.#writing = this.#writing.then(() => this.#objects.write(key, Buffer.from(text), 'application/x-ndjson'));
    return this.#writing;
  }
}

const logPrefix = (attemptPrefix: string) => `${attemptPrefix}/log/`;

/** The last lines of an attempt, as many as fit; undefined when it has no log. */
export async function readLogTail(objects: ObjectStore, attemptPrefix: string): Promise<LogTail | undefined> {
  const parts = await objects.list(logPrefix(attemptPrefix));
  if (parts.length === 0) return undefined;
  const totalBytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0);
  const lines: LogLine[] = [];
  let bytes = 0;
  for (const part of parts.toReversed()) {
    const texts = (await objects.read(part.key)).toString('utf8').split('\n').filter(Boolean);
    for (const text of texts.toReversed()) {
      bytes += Buffer.byteLength(text) + 1;
      if (lines.length === MOST_LINES || bytes > MOST_BYTES) {
        return { lines: lines.toReversed(), truncated: true, totalBytes };
      }
      lines.push(JSON.parse(text) as LogLine);
    }
  }
  return { lines: lines.toReversed(), truncated: false, totalBytes };
}
