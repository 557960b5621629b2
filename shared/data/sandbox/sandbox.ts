import { Worker } from 'node:worker_threads';
import type { CodePosition, ConsoleLine, FromSandbox, SandboxErrorCode, SandboxSettings } from './messages.ts';

/** How long the sandbox may exceed its deadline before it is terminated: a single native call cannot be interrupted. */
const GRACE_MS = 2_000;
/** Additional memory for the texts of batches. */
const THREAD_MB = 512;

// When bundled, it is a separate file beside the bundle.
const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? './sandbox-thread.ts' : './sandbox-thread.mjs',
  import.meta.url,
);

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

/** Runs an author's code in a separate thread. It cannot be used after an error. */
export class Sandbox {
  readonly #thread: Worker;
  readonly #batchMs: number;
  readonly #log: (line: ConsoleLine) => void;

  private constructor(thread: Worker, batchMs: number, log: (line: ConsoleLine) => void) {
    this.#thread = thread;
    this.#batchMs = batchMs;
    this.#log = log;
  }

  /**
   * Parses the code. Lines written to its console go to `log`. It ends as soon as `signal` is aborted. Throws
   * `SandboxError` for code that cannot be run.
   */
  static async open(
    settings: SandboxSettings,
    log: (line: ConsoleLine) => void,
    signal?: AbortSignal,
  ): Promise<Sandbox> {
    signal?.throwIfAborted();
    const thread = new Worker(THREAD, {
      workerData: settings,
      env: {},
      // The code must not see the platform's own flags and streams.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MB },
    });
    const sandbox = new Sandbox(thread, settings.batchMs, log);
    const stop = () => void sandbox.close();
    signal?.addEventListener('abort', stop);
    thread.once('exit', () => signal?.removeEventListener('abort', stop));
    try {
      await sandbox.#answer();
      return sandbox;
    } catch (error) {
      await sandbox.close();
      throw error;
    }
  }

  /** Returns the rows that the code made of a batch, as lines of exact CSV (`exact-csv.ts`). Throws `SandboxError`. */
  async run(batch: string): Promise<{ csv: string; rows: number }> {
    const answer = this.#answer();
    this.#thread.postMessage(batch);
    return answer;
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }

  #answer(): Promise<{ csv: string; rows: number }> {
    const { promise, resolve, reject } = Promise.withResolvers<{ csv: string; rows: number }>();
    const onMessage = (message: FromSandbox) => {
      for (const line of message.lines) this.#log(line);
      if (message.kind === 'failed') reject(new SandboxError(message.code, message.message, message.position));
      else resolve(message.kind === 'rows' ? { csv: message.csv, rows: message.rows } : { csv: '', rows: 0 });
    };
    const onError = (error: Error & { code?: string }) =>
      reject(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new SandboxError('OUT_OF_MEMORY', 'The rows of one batch need more memory than there is.')
          : new SandboxError('CODE_ERROR', 'The code broke the sandbox that it runs in.'),
      );
    const onExit = () => reject(new SandboxError('CODE_ERROR', 'The code ended the sandbox that it runs in.'));
    const late = () =>
      reject(new SandboxError('TIMEOUT', `The code took longer than ${this.#batchMs} ms for one batch.`));
    const timer = setTimeout(late, this.#batchMs + GRACE_MS);
    this.#thread.once('message', onMessage).once('error', onError).once('exit', onExit);
    return promise.finally(() => {
      clearTimeout(timer);
      this.#thread.off('message', onMessage).off('error', onError).off('exit', onExit);
    });
  }
}
