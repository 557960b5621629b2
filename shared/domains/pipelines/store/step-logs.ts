import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import { attemptPrefix } from './run-keys.ts';

const MAX_LINES = 1000;
const MAX_BYTES = 1024 * 1024;
const MAX_MESSAGE_CHARACTERS = 4000;
const MAX_WRITE_MS = 10_000;
/** The end of an attempt holds a log of this size at less cost than the bucket. */
const MAX_KEPT_BYTES = 2048;

export const LOG_LEVELS = ['info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogLine {
  at: string;
  level: LogLevel;
  message: string;
}

export interface LogTail {
  lines: LogLine[];
  /** Whether earlier lines were left out. */
  truncated: boolean;
  totalBytes: number;
}

export interface LogOptions {
  mask(text: string): string;
  now(): Date;
  /** Called once when storing lines starts to fail. */
  report(error: Error): void;
  /** Separates the objects of another writer of the same log; they sort after those of the attempt. */
  part?: string;
  /** Asked before lines are stored as objects; if it returns false, they are dropped. */
  mayStore?: () => Promise<boolean>;
}

/**
 * The log of one attempt. Objects cannot grow, so each flush writes the new lines as another object. A log that cannot
 * be written does not affect the attempt.
 */
export class StepLog {
  readonly #objects: ObjectStore;
  readonly #prefix: string;
  readonly #mask: (text: string) => string;
  readonly #now: () => Date;
  readonly #report: (error: Error) => void;
  readonly #part: string;
  readonly #mayStore: () => Promise<boolean>;
  #lines: LogLine[] = [];
  #parts = 0;
  /** How many lines were dropped because too many waited for a failing bucket. */
  #lost = 0;
  #isFailing = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(objects: ObjectStore, attemptPrefix: string, options: LogOptions) {
    this.#objects = objects;
    this.#prefix = logPrefix(attemptPrefix);
    this.#mask = options.mask;
    this.#now = options.now;
    this.#report = options.report;
    this.#part = options.part ?? '';
    this.#mayStore = options.mayStore ?? (async () => true);
  }

  write(level: LogLevel, message: string): void {
    const text = this.#mask(message).slice(0, MAX_MESSAGE_CHARACTERS);
    this.#lines.push({ at: this.#now().toISOString(), level, message: text });
  }

  /** Stores the lines since the last flush; lines that cannot be stored wait for the next one. Never throws. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#store());
    return this.#writing;
  }

  /**
   * The whole log, if it is short and nothing of it is stored yet: then it can be kept with the end of the attempt.
   * Otherwise stores the rest and returns undefined.
   */
  async whole(): Promise<string | undefined> {
    await this.#writing;
    const text = textOf(this.#lines);
    const isWhole = this.#parts === 0 && this.#part === '' && !this.#isFailing;
    if (isWhole && Buffer.byteLength(text) <= MAX_KEPT_BYTES) return text;
    await this.flush();
    return undefined;
  }

  async #store(): Promise<void> {
    const lines = this.#lines;
    if (lines.length === 0) return;
    this.#lines = [];
    const stored = this.#lost > 0 ? [lossOf(this.#lost, lines[0]!), ...lines] : lines;
    const text = textOf(stored);
    const key = `${this.#prefix}${this.#part}${String(this.#parts + 1).padStart(6, '0')}.jsonl`;
    try {
      if (!(await this.#mayStore())) return;
      const objects = this.#objects.within(AbortSignal.timeout(MAX_WRITE_MS));
      await objects.write(key, Buffer.from(text), 'application/x-ndjson');
      this.#parts += 1;
      this.#lost = 0;
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#report(error as Error);
      this.#isFailing = true;
      const kept = lines.slice(-MAX_LINES);
      this.#lost += lines.length - kept.length;
      this.#lines = [...kept, ...this.#lines];
    }
  }
}

const textOf = (lines: readonly LogLine[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

const lossOf = (count: number, { at }: LogLine): LogLine => ({
  at,
  level: 'warn',
  message: `${count} earlier lines could not be stored.`,
});

const logPrefix = (attemptPrefix: string) => `${attemptPrefix}/log/`;

/** Short logs of attempts, which are stored with the step instead of in the bucket. */
export type KeptLogs = { [name in `log${number}`]?: string };

export const keptLog = (attempt: number, text: string): KeptLogs => ({ [`log${attempt}`]: text });

/** The last lines of an attempt of a step; undefined when it has no log. */
export async function readStepLog(
  objects: ObjectStore,
  step: Parameters<typeof attemptPrefix>[0] & KeptLogs,
): Promise<LogTail | undefined> {
  const kept = step[`log${step.attempt}`];
  if (kept === undefined) return readLogTail(objects, attemptPrefix(step));
  const lines = kept.split('\n').filter(Boolean);
  return {
    lines: lines.map((line) => JSON.parse(line) as LogLine),
    truncated: false,
    totalBytes: Buffer.byteLength(kept),
  };
}

/** The last lines of an attempt in the bucket, as many as fit; undefined when it has no log. */
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
      if (lines.length === MAX_LINES || bytes > MAX_BYTES) {
        return { lines: lines.toReversed(), truncated: true, totalBytes };
      }
      lines.push(JSON.parse(text) as LogLine);
    }
  }
  return { lines: lines.toReversed(), truncated: false, totalBytes };
}
