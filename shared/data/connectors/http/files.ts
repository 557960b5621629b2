import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Issue } from '../../../platform/errors/app-error.ts';
import { DataError } from '../../../platform/errors/data-error.ts';
import { DECODABLE, decodedBody } from '../../../platform/net/decoded-body.ts';
import { type GuardedResponse, guardedRequest } from '../../../platform/net/guarded-request.ts';
import { fileOptionIssues } from '../../files/file-options.ts';
import type { WebOptions } from '../connection/connector.ts';
import type { FileLimits, FileStore } from '../connection/file-store.ts';
import { MAX_RECORD_LENGTH, recordsOf } from '../rows/json-records.ts';
import type { HttpConfig, HttpEndpoint, HttpSecrets } from './config.ts';
import { nextPage } from './pages.ts';

const MAX_REDIRECTS = 5;
/** A page is held in memory as text while its records are read. */
const MAX_PAGE_BYTES = 64 * 1024 * 1024;
const LINES_AT_ONCE = 1024 * 1024;
const MAX_PAGES = 10_000;
const MAX_ATTEMPTS = 3;
/** For longer pauses than this the step is retried instead. */
const LONGEST_WAIT_MS = 10_000;

/**
 * Presents the endpoints of a web service as files. JSON responses become lines of records; others are passed on
 * unchanged.
 */
export async function httpFiles(config: HttpConfig, secrets: HttpSecrets, options: WebOptions): Promise<FileStore> {
  const { guard, schemes, timeouts } = options;
  await guard.checkUrl(config.baseUrl, { schemes });
  const headers = {
    ...lowerCased(config.headers),
    ...lowerCased(secrets.headers),
    'accept-encoding': DECODABLE,
    ...authorization(config, secrets),
  };

  async function ask(url: string, maxBytes: number, signal?: AbortSignal): Promise<GuardedResponse> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await guardedRequest(guard, {
        method: 'GET',
        url,
        schemes,
        headers,
        timeoutMs: timeouts.statementMs,
        maxBytes,
        redirects: MAX_REDIRECTS,
        ...(signal ? { signal } : {}),
      });
      if (answer.status >= 200 && answer.status < 300) return answer;
      answer.body.destroy();
      const isTransient = answer.status === 429 || answer.status >= 500;
      const pause = pauseMs(answer, attempt);
      if (!isTransient || attempt === MAX_ATTEMPTS || pause > LONGEST_WAIT_MS) throw statusError(answer.status);
      await wait(pause, undefined, signal ? { signal } : {});
    }
  }

  async function* pages(endpoint: HttpEndpoint, limits: FileLimits) {
    const { pageBytes = MAX_PAGE_BYTES } = limits;
    const visited = new Set<string>();
    let bytes = 0;
    let url: string | undefined = urlOf(config, endpoint);
    while (url !== undefined) {
      visit(url, visited);
      const answer = await ask(url, pageBytes, limits.signal);
      const text = await textOf(decodedBody(answer, pageBytes));
      bytes += text.length;
      if (bytes > limits.maxBytes) throw new DataError('RESULT_TOO_LARGE', 'The pages are larger than allowed.');
      const records = yield* linesOf(text, endpoint);
      url = nextPage(endpoint.pagination, { url, text, records, link: answer.headers.link });
    }
  }

  const endpointOf = (name: string) => {
    const endpoint = config.endpoints.find((known) => known.name === name);
    if (!endpoint) throw new DataError('NOT_FOUND', 'The source has no such endpoint.');
    return endpoint;
  };

  return {
    async test() {
      const [first] = config.endpoints;
      (await ask(urlOf(config, first!), MAX_PAGE_BYTES)).body.destroy();
    },

    async list({ after, limit }) {
      const names = config.endpoints.map(({ name }) => name).sort();
      return names
        .filter((name) => after === undefined || name > after)
        .slice(0, limit)
        .map((name) => ({ name, kind: 'endpoint' as const }));
    },

    async open(name, limits) {
      const endpoint = endpointOf(name);
      if (endpoint.format === 'json') {
        return { body: Readable.from(pages(endpoint, limits), { objectMode: false }), format: { format: 'ndjson' } };
      }
      const answer = await ask(urlOf(config, endpoint), limits.maxBytes, limits.signal);
      const { format, options = {} } = endpoint;
      return { body: decodedBody(answer, limits.maxBytes), format: { format }, options };
    },
  };
}

/** Names of headers that usually carry credentials. Every editor can read the config, so they belong in the secrets. */
const CREDENTIAL = /auth|cookie|key|token|secret|passw|credential|signature|session/i;

/** Issues of the settings that a schema cannot express, with their pointers. */
export function httpConfigIssues(config: HttpConfig, secrets: HttpSecrets) {
  const issue = (pointer: string, code: string, message: string) => ({ pointer, code, message });
  const issues: Issue[] = [];
  const { auth = 'none', endpoints } = config;
  if (auth !== 'none' && secrets.credential === undefined) {
    issues.push(issue('/secrets/credential', 'REQUIRED', `is required when auth is ${auth}`));
  }
  if (auth === 'basic' && config.user === undefined) {
    issues.push(issue('/config/user', 'REQUIRED', 'is required when auth is basic'));
  }
  if (auth === 'header' && config.authHeader === undefined) {
    issues.push(issue('/config/authHeader', 'REQUIRED', 'is required when auth is header'));
  }
  for (const name of Object.keys(config.headers ?? {}).filter((header) => CREDENTIAL.test(header))) {
    const pointer = `/config/headers/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    issues.push(issue(pointer, 'SECRET', 'may hold a credential; move it to secrets.headers'));
  }
  for (const [i, endpoint] of endpoints.entries()) {
    const at = `/config/endpoints/${i}`;
    if (endpoints.findIndex(({ name }) => name === endpoint.name) < i) {
      issues.push(issue(`${at}/name`, 'DUPLICATE', 'must not be the name of another endpoint'));
    }
    issues.push(...fileOptionIssues(endpoint.options ?? {}, endpoint.format, `${at}/options`));
    if (endpoint.format === 'json') continue;
    for (const member of ['records', 'pagination'] as const) {
      if (endpoint[member] === undefined) continue;
      issues.push(issue(`${at}/${member}`, 'NOT_ALLOWED', `is for endpoints of format json, not ${endpoint.format}`));
    }
  }
  return issues;
}

const urlOf = ({ baseUrl }: HttpConfig, { path }: HttpEndpoint) => baseUrl.replace(/\/+$/, '') + path;

function authorization(
  { auth, user = '', authHeader = '' }: HttpConfig,
  { credential = '' }: HttpSecrets,
): Record<string, string> {
  if (auth === 'bearer') return { authorization: `Bearer ${credential}` };
  if (auth === 'basic') {
    return { authorization: `Basic ${Buffer.from(`${user}:${credential}`).toString('base64')}` };
  }
  return auth === 'header' ? { [authHeader.toLowerCase()]: credential } : {};
}

const lowerCased = (headers: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function statusError(status: number): DataError {
  if (status === 401) return new DataError('AUTH_FAILED', 'The service rejects the credential (401).');
  if (status === 403) return new DataError('PERMISSION_DENIED', 'The service denies access (403).');
  if (status === 404 || status === 410) return new DataError('NOT_FOUND', `The service has no such path (${status}).`);
  return new DataError('CONNECTION_FAILED', `The service answered with the status ${status}.`);
}

function pauseMs({ headers }: GuardedResponse, attempt: number): number {
  const seconds = Number(headers['retry-after']);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : 250 * 2 ** attempt;
}

/** Adds a page to those already read. Throws FILE_UNREADABLE for a page that was read before and for one too many. */
function visit(url: string, visited: Set<string>): void {
  if (visited.has(url)) throw unreadable('The pages of the endpoint lead back to one that was already read.');
  if (visited.size === MAX_PAGES) throw unreadable(`The endpoint has more than ${MAX_PAGES} pages.`);
  visited.add(url);
}

/** Yields the records of a page as lines of JSON, in large chunks, and returns how many records there were. */
function* linesOf(text: string, endpoint: HttpEndpoint): Generator<string, number> {
  let records = 0;
  let lines = '';
  for (const record of recordsOf(text, endpoint.records, MAX_RECORD_LENGTH)) {
    records += 1;
    lines += `${record}\n`;
    if (lines.length < LINES_AT_ONCE) continue;
    yield lines;
    lines = '';
  }
  if (lines !== '') yield lines;
  return records;
}

const unreadable = (message: string) => new DataError('FILE_UNREADABLE', message);

async function textOf(body: Readable): Promise<string> {
  const bytes = Buffer.concat(await body.toArray());
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw unreadable('The answer is not valid UTF-8.');
  }
}
