import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { WatchedProcess } from '../../../core/memory-watch.ts';
import { FRAME, FrameReader, writeFrame } from '../runtime/frames.mjs';

const BOOTSTRAP = fileURLToPath(new URL('../runtime/bootstrap.mjs', import.meta.url));

/** An error object as the runtime reports it. */
export interface FunctionError {
  errorType: string;
  errorMessage: string;
  trace?: string[];
}

export interface Call {
  requestId: string;
  functionArn: string;
  remainingMs: number;
  clientContext?: unknown;
  payload: Buffer;
  /** Called when a streamed response starts; otherwise the result has the whole response. */
  onHead(contentType: string): void;
  onChunk(chunk: Buffer): void;
}

/** How a call or the loading of the handler ended: with an answer of the runtime or the end of the process. */
export type Ending =
  | { kind: 'answered'; error?: FunctionError; body: Buffer }
  | { kind: 'exited'; exitCode: number | null; signal: NodeJS.Signals | null };

interface Done {
  rssBytes: number;
  error?: FunctionError;
  /** The process ends after this answer and must not be called again. */
  last?: true;
}

/** Where a function runs: it serves one invocation at a time. */
export interface ExecutionEnvironment extends WatchedProcess {
  readonly logStream: string;
  /** Settles when the handler is loaded or has failed to load. */
  readonly loaded: Promise<Ending>;
  /** Resolves when it has ended and all its output was read. */
  readonly exited: Promise<void>;
  /** Peak resident memory since the current call began. */
  peakRssBytes: number;
  onLog: (line: string) => void;
  /** Whether it can take another call. */
  readonly alive: boolean;
  /** Sends one call and settles with its answer or the end of the environment; never rejects. */
  run(call: Call): Promise<Ending>;
  /** Start and load time of the handler; returned once, for the report of the first call. */
  takeInitDuration(): number | undefined;
  kill(): void;
}

/**
 * One child process that serves one invocation at a time. It leads its own process group, so that a kill includes its
 * descendants, and a Ctrl-C in the terminal leaves the shutdown order to the service.
 */
export class Environment implements ExecutionEnvironment {
  readonly pid: number | undefined;
  readonly logStream: string;
  /** Settles when the handler is loaded or has failed to load. */
  readonly loaded: Promise<Ending>;
  /** Resolves when the process has ended and all its output was read. */
  readonly exited: Promise<void>;
  /** Peak resident memory since the current call began. */
  peakRssBytes = 0;
  onLog: (line: string) => void = () => {};
  /** Whether it can take another call. */
  alive = true;

  #ended = false;
  #initDurationMs: number | undefined;
  readonly #child: ChildProcess;
  readonly #channel: Duplex;
  #call: Call | undefined;
  #end: (ending: Ending) => void;

  constructor(launch: {
    logStream: string;
    workingFolder: string;
    variables: Record<string, string>;
    nodeOptions: string[];
    /** Shared folder for V8's compile cache. */
    compiledFolder: string;
  }) {
    const startedAt = performance.now();
    this.logStream = launch.logStream;
    this.#child = spawn(process.execPath, [...launch.nodeOptions, BOOTSTRAP, launch.compiledFolder], {
      cwd: launch.workingFolder,
      env: launch.variables,
      stdio: ['ignore', 'pipe', 'pipe', 'overlapped'],
      detached: true,
      windowsHide: true,
    });
    this.pid = this.#child.pid;
    this.#channel = this.#child.stdio[3] as Duplex;
    const loading = Promise.withResolvers<Ending>();
    this.#end = loading.resolve;
    this.loaded = loading.promise.then((ending) => {
      this.#initDurationMs = performance.now() - startedAt;
      return ending;
    });

    const reader = new FrameReader((kind, header, body) => this.#onFrame(kind, header, body));
    this.#channel.on('data', (chunk: Buffer) => reader.push(chunk));
    // Writing to a dead process fails with EPIPE; `close` below reports its end.
    this.#channel.on('error', () => {});
    for (const output of [this.#child.stdout, this.#child.stderr]) {
      // Only native code and a crashing V8 write here: the function's `process.stdout` goes through the channel.
      if (output) createInterface({ input: output }).on('line', (line) => this.onLog(line));
    }
    this.exited = this.#watchEnd();
  }

  /** Sends one call and settles with its answer or the end of the process; never rejects. */
  run(call: Call): Promise<Ending> {
    const { promise, resolve } = Promise.withResolvers<Ending>();
    if (!this.alive) return Promise.resolve({ kind: 'exited', exitCode: null, signal: null });
    this.#call = call;
    this.#end = resolve;
    this.peakRssBytes = 0;
    const { requestId, functionArn, remainingMs, clientContext } = call;
    writeFrame(this.#channel, FRAME.invoke, { requestId, functionArn, remainingMs, clientContext }, call.payload);
    return promise;
  }

  /** Start and load time of the handler; returned once, for the report of the first call. */
  takeInitDuration(): number | undefined {
    const initDurationMs = this.#initDurationMs;
    this.#initDurationMs = undefined;
    return initDurationMs;
  }

  /** Kills the process with all its descendants. */
  kill(): void {
    this.alive = false;
    if (this.pid === undefined || this.#ended) return;
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch {
      // No such group: the platform has none, or the process has just ended.
      this.#child.kill('SIGKILL');
    }
  }

  /** Not the `close` event: a descendant that keeps stdout open would delay it forever. */
  async #watchEnd(): Promise<void> {
    const started = new Promise<void>((resolve, reject) => {
      this.#child.once('spawn', resolve);
      this.#child.once('error', reject);
    });
    const ended = new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
      this.#child.once('exit', (exitCode, signal) => resolve([exitCode, signal]));
    });
    const drained = new Promise((resolve) => this.#channel.once('close', resolve));
    let end: [number | null, NodeJS.Signals | null] = [null, null];
    try {
      await started;
      [end] = await Promise.all([ended, drained]);
    } catch {
      // The process could not be started.
    }
    this.alive = false;
    this.#ended = true;
    this.#end({ kind: 'exited', exitCode: end[0], signal: end[1] });
  }

  #onFrame(kind: number, header: unknown, body: Buffer): void {
    switch (kind) {
      case FRAME.log:
        this.onLog(body.toString('utf8'));
        break;
      case FRAME.head:
        this.#call?.onHead((header as { contentType: string }).contentType);
        break;
      case FRAME.chunk:
        this.#call?.onChunk(body);
        break;
      case FRAME.memory:
        this.sawMemory((header as { rssBytes: number }).rssBytes);
        break;
      case FRAME.ready:
        this.#answer(header as Done, body);
        break;
      case FRAME.initError:
        this.alive = false;
        this.#end({ kind: 'answered', error: header as FunctionError, body });
        break;
      case FRAME.done:
        this.#answer(header as Done, body);
        break;
    }
  }

  sawMemory(rssBytes: number): void {
    if (rssBytes > this.peakRssBytes) this.peakRssBytes = rssBytes;
  }

  #answer(header: Done, body: Buffer): void {
    this.sawMemory(header.rssBytes);
    if (header.last) this.alive = false;
    this.#call = undefined;
    this.#end({ kind: 'answered', ...(header.error && { error: header.error }), body });
  }
}
