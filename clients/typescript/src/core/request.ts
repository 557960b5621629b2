import { AnalyticsError, ApiError, ConnectionError, errorOf, TimeoutError } from './errors.ts';
import type { AnyOptions, ClientOptions } from './options.ts';

const TIMEOUT_MS = 60_000;
const RETRIES = 2;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 8_000;
/** A server that wants to be left alone for longer gets no other request of this call. */
const MAX_RETRY_AFTER_MS = 60_000;

export interface Request {
  method: string;
  /** With its query. */
  path: string;
  body?: string | undefined;
  contentType?: string | undefined;
  accept: string;
  options: AnyOptions;
  /** Whether the operation accepts keys, so that each call gets one. */
  takesKey?: boolean;
  /** Streams have no time limit. */
  isStream?: boolean;
}

export type Send = <T>(
  request: Request,
  read: (response: Response) => Promise<T>,
) => Promise<{ data: T; response: Response }>;

/** Sends requests, and repeats those whose repetition changes nothing more. */
export function sender(client: ClientOptions): Send {
  return async (request, read) => {
    const { options } = request;
    const key = keyOf(request);
    const limit = timeLimit(client, request);
    const most = options.retries ?? client.retries ?? RETRIES;
    for (let attempt = 1; ; attempt += 1) {
      const made = await tryOnce(client, request, { key, attempt, signal: limit.signal, read });
      if (!('error' in made)) return made;
      limit.throwIfOver(made.error);
      // An earlier try has deleted it.
      if (isGone(request, attempt, made.error)) return { data: undefined as never, response: made.response! };
      const waitMs = attempt > most ? undefined : waitBefore(attempt, made.error, request, key);
      if (waitMs === undefined) throw failureOf(request, made.error);
      await pause(waitMs, limit.signal).catch(() => limit.throwIfOver(made.error));
    }
  };
}

function keyOf({ options: { idempotencyKey }, takesKey }: Request): string | undefined {
  if (idempotencyKey === false) return undefined;
  return idempotencyKey ?? (takesKey ? crypto.randomUUID() : undefined);
}

interface Attempt<T> {
  key: string | undefined;
  /** 1 for the first. */
  attempt: number;
  signal: AbortSignal | undefined;
  read: (response: Response) => Promise<T>;
}

async function tryOnce<T>(client: ClientOptions, request: Request, { key, attempt, signal, read }: Attempt<T>) {
  const base = client.url.replace(/\/+$/, '').replace(/(\/api)?$/, '/api');
  const startedAt = performance.now();
  let response: Response | undefined;
  try {
    response = await (client.fetch ?? fetch)(base + request.path, {
      method: request.method,
      headers: await headersOf(client, request, key),
      redirect: 'manual',
      ...(request.body !== undefined && { body: request.body }),
      ...(signal && { signal }),
    });
    if (!response.ok) throw errorOf(response, await response.text());
    return { data: await read(response), response };
  } catch (error) {
    return { error, response };
  } finally {
    client.onTry?.(triedOf(request, attempt, startedAt, response));
  }
}

/** The signal of a call, which ends with its time limit or when the caller wants it. */
function timeLimit(client: ClientOptions, request: Request) {
  const { signal: wanted, timeoutMs } = request.options;
  const limitMs = timeoutMs ?? client.timeoutMs ?? (request.isStream ? undefined : TIMEOUT_MS);
  const deadline = limitMs === undefined ? undefined : AbortSignal.timeout(limitMs);
  const signals = [wanted, deadline].filter((signal) => signal !== undefined);
  return {
    signal: signals.length > 0 ? AbortSignal.any(signals) : undefined,
    throwIfOver(cause: unknown): void {
      if (deadline?.aborted) throw new TimeoutError(`${nameOf(request)} took longer than ${limitMs} ms.`, { cause });
      if (wanted?.aborted) throw wanted.reason;
    },
  };
}

const nameOf = ({ method, path }: Request): string => `${method} ${path.split('?')[0]}`;

const failureOf = (request: Request, cause: unknown) =>
  cause instanceof AnalyticsError
    ? cause
    : new ConnectionError(
        `${nameOf(request)} got no complete reply: ${cause instanceof Error ? cause.message : cause}`,
        {
          cause,
        },
      );

function triedOf(request: Request, attempt: number, startedAt: number, response: Response | undefined) {
  const requestId = response?.headers.get('x-request-id');
  return {
    method: request.method,
    path: request.path.split('?')[0]!,
    attempt,
    ms: performance.now() - startedAt,
    ...(response && { status: response.status }),
    ...(requestId && { requestId }),
  };
}

async function headersOf({ apiKey, token, headers }: ClientOptions, request: Request, key: string | undefined) {
  const { options, contentType, accept, body } = request;
  const credential = token ? await token() : apiKey;
  return {
    accept,
    ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
    ...(body !== undefined && { 'content-type': contentType ?? 'application/json' }),
    ...(key !== undefined && { 'idempotency-key': key }),
    ...(options.ifMatch !== undefined && { 'if-match': entityTag(options.ifMatch) }),
    ...headers,
    ...options.headers,
  };
}

const entityTag = (of: number | string): string => (typeof of === 'number' ? `"${of}"` : of);

const isGone = (request: Request, attempt: number, error: unknown): boolean =>
  request.method === 'DELETE' && attempt > 1 && error instanceof ApiError && error.status === 404;

/** The milliseconds to wait before the next try; `undefined` if there should be none. */
function waitBefore(attempt: number, error: unknown, request: Request, key: string | undefined): number | undefined {
  const backoffMs = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), MAX_WAIT_MS) * (0.5 + Math.random() / 2);
  const isSafe = key !== undefined || (request.method !== 'POST' && request.options.ifMatch === undefined);
  if (!(error instanceof ApiError)) return isSafe ? backoffMs : undefined;
  // Neither a refused request nor an unfinished twin has changed anything.
  const isRefused = error.status === 429 || error.code === 'IDEMPOTENCY_IN_PROGRESS';
  const mayPass = [408, 502, 503, 504].includes(error.status) || (error.status === 500 && key !== undefined);
  if (!isRefused && !(mayPass && isSafe)) return undefined;
  const wanted = retryAfterMs(error.headers.get('retry-after'));
  if (wanted === undefined) return backoffMs;
  return wanted <= MAX_RETRY_AFTER_MS ? wanted : undefined;
}

function retryAfterMs(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}

/** Rejects when the signal aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
