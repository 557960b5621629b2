import { totalmem } from 'node:os';
import { join } from 'node:path';
import { accessCheck, requireAccess } from '../../core/access/authorizer.ts';
import type { Credentials } from '../../core/access/credentials.ts';
import type { Principal } from '../../core/access/principal.ts';
import { openDatabase } from '../../core/database.ts';
import type { LambdaPort, SqsPort, StreamsPort } from '../../core/ports.ts';
import { RestJson, refuseRest } from '../../core/rest-json.ts';
import type { CloudContext, LocalService } from '../../core/service.ts';
import { invokeFunction, lambdaRequests } from '../../iam/requests/lambda.ts';
import { AsyncEvents } from './asynchronous/async-events.ts';
import { Destinations } from './asynchronous/destinations.ts';
import { EVENTS_SCHEMA, EventStore } from './asynchronous/event-store.ts';
import { type CodeSource, CodeStore } from './control/code.ts';
import { functionRoutes } from './control/functions.ts';
import { permissionRoutes, policyText } from './control/permissions.ts';
import { settingsRoutes } from './control/settings.ts';
import { type Tagged, tagRoutes } from './control/tags.ts';
import { Versions } from './control/versions.ts';
import { BatchInvoker } from './event-sources/batch-invoker.ts';
import { MAPPINGS_SCHEMA, MappingStore } from './event-sources/mapping.ts';
import { Pollers } from './event-sources/pollers.ts';
import { mappingRoutes } from './event-sources/routes.ts';
import { Concurrency } from './execution/concurrency.ts';
import { Executor } from './execution/executor.ts';
import { Fleet } from './execution/fleet.ts';
import type { LogSink } from './execution/function-log.ts';
import type { FunctionHost } from './execution/hosted-environment.ts';
import { Invoker } from './execution/invoker.ts';
import { streamHttpResponse } from './invoke/http-response.ts';
import { ASYNCHRONOUS_LIMIT_BYTES, checkSize, InvokeApi, SYNCHRONOUS_LIMIT_BYTES } from './invoke/wire.ts';
import { restErrors } from './rest-errors.ts';
import { FUNCTIONS_SCHEMA, FunctionStore } from './store.ts';

export interface Lambda extends LocalService, LambdaPort {
  /** Starts an environment before the first call and resolves when its handler is loaded. */
  warm(functionName: string): Promise<void>;
  /** The permissions of a function, version or alias that AddPermission has added. */
  policyOf(functionArn: string): string | undefined;
}

export interface LambdaPorts {
  sqs: SqsPort;
  streams: StreamsPort;
  logs: LogSink;
  codeSource: CodeSource;
  credentials: Credentials;
  /** Runs some functions in this process. Default: each runs in processes of its own. */
  host?: FunctionHost | undefined;
}

export interface LambdaLimits {
  /**
   * Memory for concurrent functions, by their expected memory; beyond it calls wait and are then throttled. Default:
   * the machine's memory.
   */
  memoryMb?: number;
  /** How long calls wait for memory; default 10 seconds. */
  waitMs?: number;
  /** Idle environments end after this time; default 5 minutes. */
  idleMs?: number;
}

const IDLE_MS = 5 * 60_000;
const WAIT_MS = 10_000;
const MIN_MEMORY_MB = 3072;

/**
 * AWS Lambda on this machine: one child process per execution environment. Faults strike at `Invoke` (throttle, error,
 * delay, kill), `Event` (duplicate: an asynchronous event runs twice) and `EventSourceMapping` (duplicate, delay), with
 * the function's name as the resource.
 */
export function createLambda(context: CloudContext, ports: LambdaPorts, limits: LambdaLimits = {}): Lambda {
  const place = { region: context.region, accountId: context.accountId };
  const memoryMb = limits.memoryMb ?? Math.max(MIN_MEMORY_MB, totalmem() / 1024 / 1024);
  const database = openDatabase(
    join(context.dataDir, 'lambda.sqlite'),
    FUNCTIONS_SCHEMA + EVENTS_SCHEMA + MAPPINGS_SCHEMA,
  );
  const store = new FunctionStore(place, database);
  const fleet = new Fleet(context, ports, { memoryMb, idleMs: limits.idleMs ?? IDLE_MS });
  const concurrency = new Concurrency({ memoryMb, waitMs: limits.waitMs ?? WAIT_MS }, () => store.reservations);
  const executor = new Executor(context, fleet, concurrency);
  const invoker = new Invoker(context, executor);
  const destinations = new Destinations(
    ports.sqs,
    (arn, payload) => events.accept(store.resolve(arn), payload),
    context.log,
  );
  const events = new AsyncEvents({
    context,
    functions: store,
    events: new EventStore(database),
    invoker,
    concurrency,
    destinations,
  });

  const mappings = new MappingStore(database);
  const pollers = new Pollers({
    context,
    sqs: ports.sqs,
    streams: ports.streams,
    invoker: new BatchInvoker(context, store, invoker, concurrency),
    mappings,
    destinations,
  });

  const retire = (revisionId: string) => fleet.retire(revisionId);
  const versions = new Versions(place, store, retire);
  const code = new CodeStore(context.dataDir, ports.codeSource);
  const api = new RestJson({
    name: 'lambda',
    query: { MaxItems: { member: 'MaxItems', type: 'number' }, tagKeys: { member: 'TagKeys', type: 'list' } },
    errors: restErrors,
    checkAccess: accessCheck(context, lambdaRequests, 403),
    routes: [
      ...functionRoutes({ place, clock: context.clock, store, code, versions, retire }),
      ...versions.routes(),
      ...settingsRoutes({ place, clock: context.clock, store, checkDestination: (arn) => destinations.check(arn) }),
      ...permissionRoutes(store),
      ...tagRoutes((arn) => findTagged(arn, store, mappings)),
      ...mappingRoutes({ place, clock: context.clock, functions: store, mappings, pollers, ...ports }),
    ],
  });
  const invokeApi = new InvokeApi(context, store, invoker, events);
  // Deferred, because unfinished work may need services that are created after this one.
  const resuming = setImmediate(() => {
    events.resume();
    for (const { uuid } of mappings.all()) void pollers.restart(uuid);
  });

  return {
    signingName: 'lambda',
    refuse: refuseRest(restErrors),

    async handle(request, response) {
      if (await invokeApi.answer(request, response)) return;
      await api.answer(request, response);
    },

    async invoke(call) {
      requireInvoke(context, call);
      const target = store.resolve(call.functionName);
      const payload = Buffer.from(call.payload);
      checkSize(payload, call.type === 'Event' ? ASYNCHRONOUS_LIMIT_BYTES : SYNCHRONOUS_LIMIT_BYTES);
      if (call.type === 'Event') {
        events.accept(target, payload);
        return { statusCode: 202, payload: Buffer.alloc(0) };
      }
      const execution = await invoker.invoke(target, { payload });
      return {
        statusCode: 200,
        ...(execution.error && { functionError: 'Unhandled' }),
        payload: execution.payload,
      };
    },

    async invokeStreaming(call, sink) {
      requireInvoke(context, call);
      const payload = Buffer.from(call.payload);
      checkSize(payload, SYNCHRONOUS_LIMIT_BYTES);
      await streamHttpResponse(sink, (onChunk) =>
        invoker.invoke(store.resolve(call.functionName), { payload, onChunk }),
      );
    },

    policyOf: (arn) => policyText(store, arn),

    warm: (functionName) => executor.warm(store.resolve(functionName)),

    async close() {
      clearImmediate(resuming);
      const stopped = Promise.all([events.close(), pollers.close()]);
      await fleet.close();
      await stopped;
      database.close();
    },
  };
}

function requireInvoke(
  context: CloudContext,
  { functionName, caller }: { functionName: string; caller: Principal },
): void {
  requireAccess(context.authorizer, caller, [invokeFunction(functionName, undefined, context)], 403);
}

function findTagged(arn: string, store: FunctionStore, mappings: MappingStore): Tagged {
  const uuid = /:event-source-mapping:(.+)$/.exec(arn)?.[1];
  if (uuid !== undefined) {
    const mapping = mappings.get(uuid);
    return { tags: mapping.tags, save: (tags) => mappings.replace({ ...mapping, tags }) };
  }
  const { record } = store.resolve(arn);
  return { tags: record.tags, save: (tags) => store.save({ ...record, tags }) };
}
