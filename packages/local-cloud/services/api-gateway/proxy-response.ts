import { isObject } from '../../core/json.ts';
import { compressBody } from './compression.ts';
import { type Exchange, ownHeaders } from './exchange.ts';

export interface ProxyResponse {
  statusCode: number;
  headers: [string, string[]][];
  body: string;
  isBase64Encoded: boolean;
}

const MEMBERS = new Set(['statusCode', 'headers', 'multiValueHeaders', 'body', 'isBase64Encoded']);

/** Response headers that the gateway sets itself; a function's headers of these names are renamed. */
const REMAPPED = new Map(
  ['Connection', 'Content-Length', 'Date', 'Server', 'WWW-Authenticate'].map((name) => [
    name.toLowerCase(),
    `x-amzn-Remapped-${name}`,
  ]),
);
const DROPPED = new Set(['transfer-encoding', 'keep-alive', 'trailer', 'upgrade']);

/** Parses a function's answer; `undefined` if API Gateway would call it malformed. */
export function readProxyResponse(payload: Buffer): ProxyResponse | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(payload.toString('utf8'));
  } catch {
    return undefined;
  }
  if (!isObject(answer) || Object.keys(answer).some((name) => !MEMBERS.has(name))) return undefined;
  const { statusCode = 200, body, isBase64Encoded } = answer;
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 200 || status > 599) return undefined;
  if (body !== undefined && body !== null && typeof body !== 'string') return undefined;
  const headers = readHeaders(answer.headers, answer.multiValueHeaders);
  return headers && { statusCode: status, headers, body: body ?? '', isBase64Encoded: isBase64Encoded === true };
}

export async function sendProxyResponse(exchange: Exchange, answer: ProxyResponse): Promise<void> {
  const { response, message, stage } = exchange;
  // The first media type of the Accept header decides whether the client gets decoded bytes.
  const binary = answer.isBase64Encoded && stage.isBinary(message.headers.accept);
  const content = Buffer.from(answer.body, binary ? 'base64' : 'utf8');
  response.statusCode = answer.statusCode;
  setHeaders(exchange, answer.headers);
  if (!response.hasHeader('content-type')) response.setHeader('content-type', 'application/json');
  const body = await compressBody(exchange, content);
  response.setHeader('content-length', body.length);
  exchange.bytesSent = body.length;
  response.end(body);
}

/** Sets the function's headers and the gateway's own. */
export function setHeaders(exchange: Exchange, headers: [string, string[]][]): void {
  const { response } = exchange;
  for (const [name, values] of headers) {
    const lower = name.toLowerCase();
    if (DROPPED.has(lower)) continue;
    const value = values.length === 1 ? (values[0] as string) : values;
    response.setHeader(REMAPPED.get(lower) ?? name, value);
  }
  for (const [name, value] of ownHeaders(exchange)) response.setHeader(name, value);
  response.setHeader('X-Amzn-Trace-Id', exchange.traceId);
}

/** Merges the values of both forms by name; `undefined` if a value is neither text nor boolean. */
export function readHeaders(single: unknown, multiple: unknown): [string, string[]][] | undefined {
  const headers = new Map<string, [string, string[]]>();
  const add = (name: string, value: unknown): boolean => {
    if (typeof value !== 'string' && typeof value !== 'boolean') return false;
    if (!isHeader(name, String(value))) return false;
    const entry = headers.get(name.toLowerCase()) ?? [name, []];
    headers.set(name.toLowerCase(), entry);
    if (!entry[1].includes(String(value))) entry[1].push(String(value));
    return true;
  };
  for (const [name, value] of Object.entries((single as object | null) ?? {})) {
    if (!add(name, value)) return undefined;
  }
  for (const [name, values] of Object.entries((multiple as object | null) ?? {})) {
    if (!Array.isArray(values) || !values.every((value) => add(name, value))) return undefined;
  }
  return isMembers(single) && isMembers(multiple) ? [...headers.values()] : undefined;
}

/** Header names and values that pass Node's own check. */
function isHeader(name: string, value: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name) && !/[^\t\x20-\x7e\x80-\xff]/.test(value);
}

function isMembers(value: unknown): boolean {
  return value === undefined || value === null || isObject(value);
}
