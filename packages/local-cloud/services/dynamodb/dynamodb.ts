import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { crc32 } from 'node:zlib';
import { type AccessCheck, accessCheck } from '../../core/access/authorizer.ts';
import { refusal } from '../../core/access/refusals.ts';
import { AwsError, unsupported } from '../../core/aws-error.ts';
import { operationName } from '../../core/json-protocol.ts';
import type { StreamsPort } from '../../core/ports.ts';
import type { AwsRequest, CloudContext, LocalService } from '../../core/service.ts';
import { dynamoDbRequests } from '../../iam/requests/dynamodb.ts';
import { CapacityMeter } from './capacity.ts';
import { Catalogue } from './catalogue.ts';
import type { Engine } from './engine.ts';
import { startSweeper } from './expiry.ts';
import { FaultSwitch } from './fault-switch.ts';
import { Items } from './items.ts';
import { renderJson } from './json-text.ts';
import { databaseOperations, type Operation, streamOperations } from './operations.ts';
import { checkRequest } from './shapes.ts';
import { Store } from './store.ts';
import { StreamWriter } from './stream-records.ts';
import { streamsPort } from './streams.ts';

export interface DynamoDb extends LocalService, StreamsPort {
  /** Units consumed by table since the start, requested or not. */
  capacity(): Record<string, { read: number; write: number }>;
}

/** DynamoDB and DynamoDB Streams in one SQLite file in `context.dataDir`. */
export function createDynamoDb(context: CloudContext): DynamoDb {
  const store = new Store(context.dataDir);
  const streams = new StreamWriter(store, context);
  const engine: Engine = {
    context,
    store,
    streams,
    catalogue: new Catalogue(store),
    items: new Items(store, streams),
    meter: new CapacityMeter(),
  };
  const faults = new FaultSwitch(engine);
  const checkAccess = accessCheck(context, dynamoDbRequests);
  const stopSweeper = startSweeper(engine);
  return {
    signingName: 'dynamodb',
    refuse: (denial, _request, response) => replyError(response, refusal(denial, 400)),
    handle: (request, response) => answer(faults, checkAccess, request, response),
    async close() {
      stopSweeper();
      store.close();
    },
    capacity: () => engine.meter.totals(),
    ...streamsPort(engine),
  };
}

/** Error types have the namespace of the model that defines them; most are in DynamoDB's own. */
const namespaces: Record<string, string> = {
  ValidationException: 'com.amazon.coral.validate',
  SerializationException: 'com.amazon.coral.service',
  AccessDeniedException: 'com.amazon.coral.service',
  ExpiredTokenException: 'com.amazon.coral.service',
  IncompleteSignatureException: 'com.amazon.coral.service',
  InvalidSignatureException: 'com.amazon.coral.service',
  MissingAuthenticationTokenException: 'com.amazon.coral.service',
  UnrecognizedClientException: 'com.amazon.coral.service',
};

async function answer(
  faults: FaultSwitch,
  checkAccess: AccessCheck,
  request: AwsRequest,
  response: ServerResponse,
): Promise<void> {
  const body = await request.body();
  try {
    const name = operationName(request);
    const operation = findOperation(request, name);
    const input = body.length > 0 ? JSON.parse(body.toString('utf8')) : {};
    checkRequest(name, operation.members, input);
    await checkAccess(request.principal, name, input);
    reply(response, 200, renderJson(await faults.run(name, operation, input)));
  } catch (error) {
    replyError(response, error);
  }
}

function replyError(response: ServerResponse, error: unknown): void {
  if (error instanceof AwsError) {
    const namespace = namespaces[error.code] ?? 'com.amazonaws.dynamodb.v20120810';
    const text = JSON.stringify({ __type: `${namespace}#${error.code}`, message: error.message, ...error.fields });
    reply(response, error.status, text);
  } else if (error instanceof SyntaxError) {
    reply(response, 400, '{"__type":"com.amazon.coral.service#SerializationException"}');
  } else {
    reply(response, 500, JSON.stringify({ __type: 'InternalServerError', message: String(error) }));
  }
}

function findOperation(request: AwsRequest, name: string): Operation {
  const target = String(request.headers['x-amz-target'] ?? '');
  const operations = target.startsWith('DynamoDBStreams_20120810.') ? streamOperations : databaseOperations;
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (!operation) throw unsupported('dynamodb', `the operation ${name}`);
  return operation;
}

/** SDKs verify the body against this checksum. */
function reply(response: ServerResponse, status: number, text: string): void {
  const body = Buffer.from(text);
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': body.length,
    'x-amz-crc32': String(crc32(body)),
    'x-amzn-requestid': randomUUID(),
  });
  response.end(body);
}
