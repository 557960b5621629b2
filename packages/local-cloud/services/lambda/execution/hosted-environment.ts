import type { Duplex } from 'node:stream';
import type { DirectReply, DirectRequest } from '../../../core/direct-call.ts';
import { errorObject } from '../runtime/error-object.mjs';
import { contextOf } from '../runtime/handler-context.mjs';
import type { Call, Ending, ExecutionEnvironment } from './environment.ts';

/** What hosted functions reach without a socket. */
export interface HostingCloud {
  port: number;
  connect(): Duplex;
  callDynamoDb(request: DirectRequest, accessKeyId: string, sessionToken: string | undefined): Promise<DirectReply>;
}

/** Runs handlers in the process of the local cloud, where they share compiled code: for tests of many functions. */
export interface FunctionHost {
  /** Called when the cloud listens. */
  open(cloud: HostingCloud): void;
  /** Loads the handler for one environment. Undefined for a function that runs in processes of its own. */
  load(launch: HostedLaunch): Promise<HostedHandler> | undefined;
}

export interface HostedLaunch {
  functionName: string;
  /** The environment variables, with the credentials of the function's role. */
  variables: Readonly<Record<string, string>>;
  /** Writes a line to the function's log. */
  log(line: string): void;
}

export type HostedHandler = (event: unknown, context: object) => Promise<unknown>;

const EXITED: Ending = { kind: 'exited', exitCode: null, signal: 'SIGKILL' };

/**
 * An environment in this process. Killing it ends its call for the caller; unlike a process, the handler itself goes
 * on. Its memory is not limited, and it cannot stream.
 */
export class HostedEnvironment implements ExecutionEnvironment {
  readonly pid = undefined;
  readonly logStream: string;
  readonly loaded: Promise<Ending>;
  readonly exited: Promise<void>;
  peakRssBytes = 0;
  onLog: (line: string) => void = () => {};
  alive = true;
  #initDurationMs: number | undefined;
  readonly #variables: HostedLaunch['variables'];
  readonly #handler: Promise<HostedHandler>;
  readonly #killed = Promise.withResolvers<void>();

  /** Undefined for a function that the host does not run. */
  static open(host: FunctionHost, launch: Omit<HostedLaunch, 'log'> & { logStream: string }) {
    const { functionName, variables, logStream } = launch;
    let write: HostedLaunch['log'] = () => {};
    const loading = host.load({ functionName, variables, log: (line) => write(line) });
    if (!loading) return undefined;
    const environment = new HostedEnvironment(logStream, variables, loading);
    write = (line) => environment.onLog(line);
    return environment;
  }

  private constructor(logStream: string, variables: HostedLaunch['variables'], handler: Promise<HostedHandler>) {
    const startedAt = performance.now();
    this.logStream = logStream;
    this.#variables = variables;
    this.#handler = handler;
    this.exited = this.#killed.promise;
    this.loaded = handler.then(
      () => {
        this.#initDurationMs = performance.now() - startedAt;
        return answered(Buffer.alloc(0));
      },
      (cause: unknown) => {
        this.alive = false;
        return failed(cause);
      },
    );
  }

  async run(call: Call): Promise<Ending> {
    if (!this.alive) return EXITED;
    return Promise.race([this.#answer(call), this.#killed.promise.then(() => EXITED)]);
  }

  takeInitDuration(): number | undefined {
    const initDurationMs = this.#initDurationMs;
    this.#initDurationMs = undefined;
    return initDurationMs;
  }

  kill(): void {
    this.alive = false;
    this.#killed.resolve();
  }

  sawMemory(): void {}

  async #answer(call: Call): Promise<Ending> {
    try {
      const handler = await this.#handler;
      const result = await handler(JSON.parse(call.payload.toString('utf8')), contextOf(call, this.#variables));
      return answered(Buffer.from(JSON.stringify(result ?? null)));
    } catch (cause) {
      return failed(cause);
    }
  }
}

const answered = (body: Buffer): Ending => ({ kind: 'answered', body });
const failed = (cause: unknown): Ending => ({ kind: 'answered', error: errorObject(cause), body: Buffer.alloc(0) });
