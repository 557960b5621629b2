import { OPERATIONS } from '../generated/operations.ts';
import type { Resources } from '../generated/resources.ts';
import { Call, List } from './calls.ts';
import type { AnyOptions } from './options.ts';
import type { Request, Send } from './request.ts';
import { jsonLines, serverEvents } from './streams.ts';

type Input = Record<string, unknown>;

/** The largest offset of lists that have no cursor. */
const MAX_OFFSET = 10_000;

/** The methods of every resource, from the table of operations. */
export function resourcesOver(send: Send): Resources {
  const resources: Record<string, Record<string, unknown>> = {};
  for (const [resource, operations] of Object.entries(OPERATIONS)) {
    const methods: Record<string, unknown> = {};
    for (const [name, text] of Object.entries(operations)) methods[name] = methodOf(text, send);
    resources[resource] = methods;
  }
  return resources as unknown as Resources;
}

/** Replies under a key are stored, and a secret that the platform makes is shown only once: it refuses such a request. */
const asksForSecret = (body: unknown): boolean => (body as Input | undefined)?.generateSecret === true;

/** How a method asks: read from the table when it is first called, since a program calls few of hundreds. */
function operationOf(text: string) {
  const [method = '', path = '', flags = '', type] = text.split(' ');
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  return { method, path, type, names, has: (flag: string) => flags.includes(flag) };
}

function methodOf(text: string, send: Send) {
  let operation: ReturnType<typeof operationOf> | undefined;
  return (...given: unknown[]) => {
    operation ??= operationOf(text);
    const { method, path, type, names, has } = operation;
    const values = given.splice(0, names.length);
    const body = has('b') || has('B') ? given.shift() : undefined;
    const query = (has('q') ? given.shift() : undefined) as Input | undefined;
    const options = (given.shift() ?? {}) as AnyOptions;
    const requestFor = (more: Input = {}): Request => ({
      method,
      path: fill(path, names, values) + queryOf({ ...query, ...more }),
      ...bodyOf(body, type),
      accept:
        options.accept ??
        (has('e') ? 'text/event-stream' : has('l') ? 'application/x-ndjson' : has('r') ? '*/*' : 'application/json'),
      options,
      takesKey: has('k') && !asksForSecret(body),
      isStream: has('e') || has('l'),
    });
    if (has('e')) {
      const open = async (lastEventId: string | undefined) => {
        const headers = { ...options.headers, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) };
        const request = { ...requestFor(), options: { ...options, headers } };
        return (await send(request, async (response) => response)).data;
      };
      return serverEvents(open, options);
    }
    if (has('l')) return jsonLines(async () => (await send(requestFor(), async (response) => response)).data);
    if (has('r') || (has('j') && options.accept !== undefined))
      return Call.of(send(requestFor(), async (response) => response));
    if (has('n')) return Call.of(send(requestFor(), async (response) => void (await response.arrayBuffer())));
    const read = async (response: Response): Promise<unknown> => JSON.parse(await response.text());
    if (has('o'))
      return List.paged(
        send(requestFor(), read),
        byOffset(query, (more) => send(requestFor(more), read)),
      );
    if (has('c'))
      return List.paged(
        send(requestFor(), read),
        byCursor((more) => send(requestFor(more), read)),
      );
    return Call.of(send(requestFor(), read));
  };
}

function fill(path: string, names: readonly string[], values: readonly unknown[]): string {
  return names.reduce((filled, name, index) => {
    const value = values[index];
    // With these as a segment it would be another path, however they are encoded.
    if (value === undefined || value === null || value === '') throw new TypeError(`${name} is missing.`);
    if (value === '.' || value === '..') throw new TypeError(`${name} must not be "${value}".`);
    return filled.replace(`{${name}}`, () => encodeURIComponent(String(value)));
  }, path);
}

function queryOf(query: Input): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, Array.isArray(value) ? value.join(',') : String(value)]],
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

function bodyOf(body: unknown, type: string | undefined): Pick<Request, 'body' | 'contentType'> {
  if (body === undefined) return {};
  if (type === 'application/x-www-form-urlencoded')
    return { body: String(new URLSearchParams(body as Record<string, string>)), contentType: type };
  if (typeof body === 'string' && type !== undefined) return { body, contentType: type };
  return { body: JSON.stringify(body), ...(type?.endsWith('json') && { contentType: type }) };
}

interface Page {
  items: unknown[];
  total?: number;
  nextCursor?: string | null;
}

type Reply = Promise<{ data: unknown }>;

function byOffset(query: Input | undefined, read: (more: Input) => Reply) {
  const start = Number(query?.offset ?? 0);
  return (page: unknown, seen: number) => {
    const { items, total } = page as Page;
    const offset = start + seen;
    if (items.length === 0 || offset >= (total ?? 0)) return undefined;
    if (offset > MAX_OFFSET) {
      throw new RangeError(
        `The list has ${total} records; it can be read up to record ${MAX_OFFSET}. Narrow it down with a filter.`,
      );
    }
    return read({ offset }).then(({ data }) => data);
  };
}

const byCursor = (read: (more: Input) => Reply) => (page: unknown) => {
  const { nextCursor } = page as Page;
  return nextCursor ? read({ cursor: nextCursor, offset: undefined }).then(({ data }) => data) : undefined;
};
