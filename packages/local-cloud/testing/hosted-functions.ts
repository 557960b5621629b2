import { AsyncLocalStorage } from 'node:async_hooks';
import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SignatureV4 } from '@smithy/signature-v4';
import type { DirectReply, DirectRequest } from '../core/direct-call.ts';
import type {
  FunctionHost,
  HostedHandler,
  HostedLaunch,
  HostingCloud,
} from '../services/lambda/execution/hosted-environment.ts';

/** Imports a handler anew for each environment, so that the clients and caches of its module serve one environment. */
export type HandlerImport = (environment: number) => Promise<HostedHandler>;

/**
 * Runs these functions in this process. While one is imported or called, `process.env` has its variables alone, so its
 * clients sign as its role, and what it writes to the standard streams is in its log. Nothing else in the process may
 * change its environment variables.
 */
export function hostedFunctions(handlers: ReadonlyMap<string, HandlerImport>): FunctionHost {
  const running = new AsyncLocalStorage<HostedLaunch>();
  separateVariables(running);
  for (const stream of [process.stdout, process.stderr]) separateLines(stream, running);
  let environments = 0;
  return {
    open(cloud) {
      shortenConnections(running, cloud);
      shortenCalls(running, cloud);
    },
    load(launch) {
      const importHandler = handlers.get(launch.functionName);
      if (!importHandler) return undefined;
      environments += 1;
      const loading = running.run(launch, importHandler, environments);
      return loading.then(
        (handler): HostedHandler =>
          (event, context) =>
            running.run(launch, handler, event, context),
      );
    },
  };
}

function separateVariables(running: AsyncLocalStorage<HostedLaunch>): void {
  const own = process.env;
  const current = (): NodeJS.ProcessEnv => running.getStore()?.variables ?? own;
  process.env = new Proxy(own, {
    get: (_own, name) => Reflect.get(current(), name),
    has: (_own, name) => Reflect.has(current(), name),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_own, name) => {
      const value = Reflect.get(current(), name);
      return value === undefined ? undefined : { value, writable: true, enumerable: true, configurable: true };
    },
  });
}

/** Half of the time of a short call to a service would go to the sockets of this process. */
function shortenConnections(running: AsyncLocalStorage<HostedLaunch>, { port, connect }: HostingCloud): void {
  const agents = Agent.prototype as {
    createConnection(options: { port?: number | string }, ...rest: unknown[]): Duplex;
  };
  const { createConnection } = agents;
  agents.createConnection = function (options, ...rest) {
    const isOwn = running.getStore() !== undefined && Number(options.port) === port;
    return isOwn ? likeSocket(connect()) : createConnection.call(this, options, ...rest);
  };
}

type ClientRequest = DirectRequest & { port?: number };

interface Transport {
  handle(request: ClientRequest, options?: object): Promise<{ response: DirectReply }>;
}

/** Most calls go to DynamoDB, and most of their time to HTTP and signatures: clients of hosted functions skip both. */
function shortenCalls(running: AsyncLocalStorage<HostedLaunch>, { port, callDynamoDb }: HostingCloud): void {
  const isDirect = (request: ClientRequest): boolean =>
    running.getStore() !== undefined &&
    request.port === port &&
    request.headers['x-amz-target']?.startsWith('DynamoDB_') === true;

  const signers = SignatureV4.prototype as { sign(request: unknown, ...rest: unknown[]): Promise<unknown> };
  const { sign } = signers;
  signers.sign = function (request, ...rest) {
    return isDirect(request as ClientRequest) ? Promise.resolve(request) : sign.call(this, request, ...rest);
  };

  const { requestHandler } = new DynamoDBClient({ region: 'us-east-1' }).config;
  const transports: Transport = Object.getPrototypeOf(requestHandler);
  const { handle } = transports;
  transports.handle = async function (request, options) {
    if (!isDirect(request)) return handle.call(this, request, options);
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SESSION_TOKEN: sessionToken } = running.getStore()!.variables;
    return { response: await running.exit(callDynamoDb, request, accessKeyId!, sessionToken) };
  };
}

/** With what clients set on sockets, which has no effect in a process. */
function likeSocket(connection: Duplex): Duplex {
  const unchanged = () => connection;
  const settings: { [Name in keyof Socket]?: unknown } = {
    setKeepAlive: unchanged,
    setNoDelay: unchanged,
    setTimeout: unchanged,
    ref: unchanged,
    unref: unchanged,
  };
  return Object.assign(connection, settings);
}

/** A line is written whole: loggers and consoles write no parts of lines. */
function separateLines(stream: NodeJS.WriteStream, running: AsyncLocalStorage<HostedLaunch>): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    const launch = running.getStore();
    if (!launch) return write(chunk, ...rest);
    for (const line of Buffer.from(chunk as string)
      .toString('utf8')
      .split('\n'))
      if (line !== '') launch.log(line);
    const done = rest.at(-1);
    if (typeof done === 'function') process.nextTick(done as () => void);
    return true;
  };
}
