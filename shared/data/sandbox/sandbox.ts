import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type {
  CodePosition,
  ConsoleLine,
  FromSandbox,
  SandboxErrorCode,
  SandboxSettings,
  SandboxStart,
} from './messages.ts';
import { cappedLog, received } from './received.ts';
import { processorMs } from './thread-time.ts';

/** How long the sandbox may exceed its deadline before it is terminated: a single native call cannot be interrupted. */
const GRACE_MS = 2_000;
/** How long a thread may take to start, on the clock. */
const START_MS = 30_000;
/** A machine that gives the thread a smaller share of its time than this is too busy. */
const MIN_SHARE = 0.02;
/** Additional memory for the texts of batches. */
const THREAD_MB = 512;

const IS_BUNDLED = !import.meta.url.endsWith('.ts');
// When bundled, both are separate files beside the bundle.
const THREAD = new URL(IS_BUNDLED ? './sandbox-thread.mjs' : './sandbox-thread.ts', import.meta.url);
const ENGINE = IS_BUNDLED
  ? new URL('./emscripten-module.wasm', import.meta.url)
  : import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm');

/** The interpreter, compiled once for all threads of this process. */
let compiledEngine: Promise<WebAssembly.Module> | undefined;

function engineModule(): Promise<WebAssembly.Module> {
  compiledEngine ??= readFile(new URL(ENGINE)).then((bytes) => WebAssembly.compile(bytes));
  return compiledEngine;
}

/** An error of the author's code, or an exceeded limit. The `message` is for the author. */
export class SandboxError extends Error {
  readonly code: SandboxErrorCode;
  readonly position: CodePosition | undefined;

  constructor(code: SandboxErrorCode, message: string, position?: CodePosition) {
    super(position ? `${message} (line ${position.line}, column ${position.column})` : message);
    this.name = 'SandboxError';
    this.code = code;
    this.position = position;
  }
}

/** The machine had too little time for the thread: not an error of the code, and worth another try. */
export class SandboxBusy extends Error {
  constructor() {
    super('The machine is too busy to run the code; try again.');
    this.name = 'SandboxBusy';
  }
}

interface Rows {
  csv: string;
  rows: number;
}

/** The call that waits for a reply of the thread. */
interface Waiting {
  kind: 'ready' | 'rows';
  resolve(rows: Rows): void;
  reject(error: Error): void;
  startedAt: number;
  /** The processor time that the thread had used before. */
  usedMs: number | undefined;
  timer: NodeJS.Timeout | undefined;
}

const BROKEN = 'The code broke the sandbox that it runs in.';

/** Runs an author's code in a separate thread. It cannot be used after an error. */
export class Sandbox {
  readonly #thread: Worker;
  readonly #batchMs: number;
  readonly #log: (lines: readonly ConsoleLine[]) => void;
  #hasStarted = false;
  #task: string | undefined;
  #waiting: Waiting | undefined;
  /** The reason why the sandbox has ended. */
  #error: Error | undefined;

  private constructor(thread: Worker, batchMs: number, log: (line: ConsoleLine) => void) {
    this.#thread = thread;
    this.#batchMs = batchMs;
    this.#log = cappedLog(log);
    // The listeners stay as long as the thread: an `error` event without a listener would end this process.
    thread
      .on('message', (value) => this.#receive(value))
      .on('messageerror', () => this.#fail(new SandboxError('CODE_ERROR', BROKEN)))
      .on('error', (error: Error & { code?: string }) => this.#fail(brokenBy(error)))
      .on('exit', () => this.#fail(new SandboxError('CODE_ERROR', 'The code ended the sandbox that it runs in.')));
  }

  /**
   * Parses the code. Lines written to its console go to `log`. It ends as soon as `signal` is aborted, with the reason
   * of the signal. Throws `SandboxError` for code that cannot be run, and `SandboxBusy` if the machine has no time for
   * it.
   */
  static async open(
    settings: SandboxSettings,
    log: (line: ConsoleLine) => void,
    signal?: AbortSignal,
  ): Promise<Sandbox> {
    const engine = await engineModule();
    signal?.throwIfAborted();
    const thread = new Worker(THREAD, {
      workerData: { settings, engine } satisfies SandboxStart,
      env: {},
      // The code must not see the platform's own flags and streams.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MB },
    });
    const sandbox = new Sandbox(thread, settings.batchMs, log);
    const stop = () => sandbox.#fail(signal!.reason as Error);
    signal?.addEventListener('abort', stop);
    thread.once('exit', () => signal?.removeEventListener('abort', stop));
    try {
      await sandbox.#answer('ready');
      return sandbox;
    } catch (error) {
      await sandbox.close();
      throw error;
    }
  }

  /** Returns the rows that the code made of a batch, as lines of exact CSV (`exact-csv.ts`). Throws as `open` does. */
  async run(batch: string): Promise<Rows> {
    const answer = this.#answer('rows');
    if (!this.#error) this.#thread.postMessage(batch);
    return answer;
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }

  #answer(kind: Waiting['kind']): Promise<Rows> {
    if (this.#error) return Promise.reject(this.#error);
    const { promise, resolve, reject } = Promise.withResolvers<Rows>();
    this.#waiting = { kind, resolve, reject, startedAt: performance.now(), usedMs: undefined, timer: undefined };
    if (kind === 'ready') this.#checkAfter(START_MS, () => this.#fail(new SandboxBusy()));
    else this.#startClock();
    return promise;
  }

  #receive(value: unknown): void {
    const error = this.#take(received(value));
    if (error) this.#fail(error);
  }

  /** Takes a message from the thread; returns an error when it ends the sandbox. */
  #take(message: FromSandbox | undefined): Error | undefined {
    const waiting = this.#waiting;
    // The thread may only answer calls and may report its start only once; a second report would reset the clock.
    if (!message || !waiting) return new SandboxError('CODE_ERROR', BROKEN);
    if (message.kind === 'started') {
      if (this.#hasStarted) return new SandboxError('CODE_ERROR', BROKEN);
      this.#hasStarted = true;
      this.#task = message.task;
      this.#startClock();
      return undefined;
    }
    try {
      this.#log(message.lines);
    } catch (error) {
      return error as Error;
    }
    if (message.kind === 'failed') return new SandboxError(message.code, message.message, message.position);
    if (message.kind !== waiting.kind) return new SandboxError('CODE_ERROR', BROKEN);
    this.#waiting = undefined;
    clearTimeout(waiting.timer);
    waiting.resolve(message.kind === 'rows' ? { csv: message.csv, rows: message.rows } : { csv: '', rows: 0 });
    return undefined;
  }

  #startClock(): void {
    const waiting = this.#waiting!;
    waiting.startedAt = performance.now();
    waiting.usedMs = processorMs(this.#task);
    this.#checkAfter(this.#batchMs + GRACE_MS, () => this.#checkTime());
  }

  #checkAfter(ms: number, check: () => void): void {
    clearTimeout(this.#waiting!.timer);
    this.#waiting!.timer = setTimeout(check, ms);
  }

  /** Measures the thread's processor time, or wall-clock time on systems that do not report it. */
  #checkTime(): void {
    const { startedAt, usedMs: before } = this.#waiting!;
    const limitMs = this.#batchMs + GRACE_MS;
    const passedMs = performance.now() - startedAt;
    const now = processorMs(this.#task);
    const usedMs = before === undefined || now === undefined ? passedMs : now - before;
    if (usedMs >= limitMs) {
      this.#fail(new SandboxError('TIMEOUT', `The code took longer than ${this.#batchMs} ms for one batch.`));
    } else if (passedMs * MIN_SHARE >= limitMs) {
      this.#fail(new SandboxBusy());
    } else {
      this.#checkAfter(Math.max(limitMs - usedMs, 20), () => this.#checkTime());
    }
  }

  /** Ends the thread. The first error rejects the current call and all later ones. */
  #fail(error: Error): void {
    this.#error ??= error;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    clearTimeout(waiting?.timer);
    waiting?.reject(this.#error);
    void this.#thread.terminate();
  }
}

function brokenBy(error: Error & { code?: string }): SandboxError {
  return error?.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new SandboxError('OUT_OF_MEMORY', 'The rows of one batch need too much memory.')
    : new SandboxError('CODE_ERROR', BROKEN);
}
