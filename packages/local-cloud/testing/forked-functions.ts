import type { ChildProcess } from 'node:child_process';
import type { FunctionError } from '../services/lambda/execution/environment.ts';
import type { FunctionHost, HostedHandler, HostedLaunch } from '../services/lambda/execution/hosted-environment.ts';
import { errorObject } from '../services/lambda/runtime/error-object.mjs';
import { type HandlerImport, hostedFunctions } from './hosted-functions.ts';

/** Loads a handler in an environment, or calls the one that is loaded there. */
type Request = { environment: number } & (
  | { launch: Pick<HostedLaunch, 'functionName' | 'variables'> }
  | { event: unknown; context: object; deadline: number }
);

type Message = { id: number; value?: unknown; error?: FunctionError } | { environment: number; line: string };

/**
 * Runs the functions of these names together in another process, which calls `serveFunctions`: for functions that would
 * keep the process of the local cloud too busy.
 */
export function forkedFunctions(names: ReadonlySet<string>, child: ChildProcess): FunctionHost {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const logs = new Map<number, HostedLaunch['log']>();
  let requests = 0;
  child.on('message', (message: Message) => {
    if ('line' in message) return logs.get(message.environment)?.(message.line);
    const { resolve, reject } = waiting.get(message.id)!;
    waiting.delete(message.id);
    if (message.error) reject(errorOf(message.error));
    else resolve(message.value);
  });
  child.once('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`The process of functions ended: ${signal ?? code}`));
    waiting.clear();
  });
  const ask = (request: Request): Promise<unknown> => {
    const reply = Promise.withResolvers<unknown>();
    requests += 1;
    waiting.set(requests, reply);
    child.send({ ...request, id: requests }, (failure) => {
      if (failure) reply.reject(failure);
    });
    return reply.promise;
  };
  return {
    open: () => {},
    load({ functionName, variables, log }) {
      if (!names.has(functionName)) return undefined;
      const environment = logs.size;
      logs.set(environment, log);
      const call = (event: unknown, context: object) =>
        ask({ environment, event, context, deadline: deadlineOf(context) });
      return ask({ environment, launch: { functionName, variables } }).then(() => call);
    },
  };
}

/** Runs functions for the parent process until it disconnects. */
export function serveFunctions(handlers: ReadonlyMap<string, HandlerImport>): void {
  const host = hostedFunctions(handlers);
  const loaded = new Map<number, Promise<HostedHandler>>();
  const send = (message: Message) => void (process.connected && process.send!(message));
  const run = async ({ environment, ...request }: Request): Promise<unknown> => {
    if ('launch' in request) {
      const handler = host.load({ ...request.launch, log: (line) => send({ environment, line }) });
      if (!handler) throw new Error(`No handler for ${request.launch.functionName}`);
      loaded.set(environment, handler);
      await handler;
      return undefined;
    }
    const handler = await loaded.get(environment)!;
    const getRemainingTimeInMillis = () => request.deadline - Date.now();
    return handler(request.event, { ...request.context, getRemainingTimeInMillis });
  };
  process.on('message', ({ id, ...request }: { id: number } & Request) => {
    run(request).then(
      (value) => send({ id, value }),
      (cause: unknown) => send({ id, error: errorObject(cause) }),
    );
  });
}

/** Functions do not pass from one process to another, so the context is completed there. */
function deadlineOf(context: object): number {
  return Date.now() + (context as { getRemainingTimeInMillis(): number }).getRemainingTimeInMillis();
}

function errorOf({ errorType, errorMessage, trace = [] }: FunctionError): Error {
  return Object.assign(new Error(errorMessage), { name: errorType, stack: trace.join('\n') });
}
