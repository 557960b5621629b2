import type { IncomingMessage } from 'node:http';
import { type Exchange, requestTime } from './exchange.ts';
import { decode, type Match } from './routes.ts';

/** Headers that the gateway consumes. */
const DROPPED = new Set([
  'connection',
  'content-length',
  'content-md5',
  'expect',
  'keep-alive',
  'max-forwards',
  'proxy-authenticate',
  'proxy-connection',
  'server',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'www-authenticate',
]);

/** Headers whose spelling API Gateway normalises. */
const SPELLED = new Map([
  ['authorization', 'Authorization'],
  ['host', 'Host'],
  ['user-agent', 'User-Agent'],
]);

interface Fields {
  single: Record<string, string> | null;
  multiple: Record<string, string[]> | null;
}

/** The event of a Lambda proxy integration (payload format 1.0), as JSON text. */
export function proxyEvent(exchange: Exchange, match: Match, body: Buffer, region: { accountId: string }): string {
  const { api, stage, isBinary } = exchange.stage;
  const { headers: read } = exchange.message;
  const headers = headerFields(exchange);
  const query = queryFields(exchange.query);
  const binary = body.length > 0 && isBinary(read['content-type']);
  const host = read.host ?? '';
  return JSON.stringify({
    resource: match.resourcePath,
    path: exchange.path,
    httpMethod: exchange.httpMethod,
    headers: headers.single,
    multiValueHeaders: headers.multiple,
    queryStringParameters: query.single,
    multiValueQueryStringParameters: query.multiple,
    pathParameters: match.pathParameters,
    stageVariables: Object.keys(stage.variables).length > 0 ? stage.variables : null,
    requestContext: {
      resourceId: match.resourceId,
      resourcePath: match.resourcePath,
      httpMethod: exchange.httpMethod,
      extendedRequestId: exchange.extendedRequestId,
      requestTime: requestTime(exchange.receivedAt),
      path: exchange.fullPath,
      accountId: region.accountId,
      protocol: `HTTP/${exchange.message.httpVersion}`,
      stage: stage.name,
      domainPrefix: host.split(/[.:]/, 1)[0],
      requestTimeEpoch: exchange.receivedAt,
      requestId: exchange.requestId,
      identity: {
        cognitoIdentityPoolId: null,
        accountId: null,
        cognitoIdentityId: null,
        caller: null,
        sourceIp: exchange.sourceIp,
        principalOrgId: null,
        accessKey: null,
        cognitoAuthenticationType: null,
        cognitoAuthenticationProvider: null,
        userArn: null,
        userAgent: read['user-agent'] ?? null,
        user: null,
      },
      domainName: host,
      deploymentId: stage.deploymentId,
      apiId: api.id,
    },
    body: body.length === 0 ? null : body.toString(binary ? 'base64' : 'utf8'),
    isBase64Encoded: binary,
  });
}

function headerFields(exchange: Exchange): Fields {
  const { message, sourceIp, traceId } = exchange;
  const fields = new FieldCollector();
  const raw = message.rawHeaders;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] as string;
    const lower = name.toLowerCase();
    if (DROPPED.has(lower) || lower.startsWith('x-forwarded-')) continue;
    fields.add(SPELLED.get(lower) ?? name, raw[index + 1] as string);
  }
  fields.add('X-Amzn-Trace-Id', traceId);
  fields.add('X-Forwarded-For', forwardedFor(message, sourceIp));
  fields.add('X-Forwarded-Port', String(message.socket.localPort ?? 0));
  fields.add('X-Forwarded-Proto', 'http');
  return fields.fields;
}

function forwardedFor(message: IncomingMessage, sourceIp: string): string {
  const earlier = message.headers['x-forwarded-for'];
  return earlier === undefined ? sourceIp : `${String(earlier)}, ${sourceIp}`;
}

function queryFields(query: string): Fields {
  const fields = new FieldCollector();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    fields.add(decodeQuery(name), equals < 0 ? '' : decodeQuery(pair.slice(equals + 1)));
  }
  return fields.fields;
}

function decodeQuery(text: string): string {
  return decode(text.replaceAll('+', ' '));
}

/** Collects repeated fields: the plain form keeps the last value, the multi-value form all of them. */
class FieldCollector {
  // Without a prototype, `constructor` and `__proto__` are ordinary names.
  readonly #single: Record<string, string> = Object.create(null);
  readonly #multiple: Record<string, string[]> = Object.create(null);
  #empty = true;

  add(name: string, value: string): void {
    this.#empty = false;
    this.#single[name] = value;
    const values = this.#multiple[name];
    if (values) values.push(value);
    else this.#multiple[name] = [value];
  }

  get fields(): Fields {
    return this.#empty ? { single: null, multiple: null } : { single: this.#single, multiple: this.#multiple };
  }
}
