import type { Group } from '../../functions/group.ts';
import type { ErrorCode } from '../../shared/platform/errors/catalogue.ts';
import { errorsOf, type Route, takesIfMatch } from '../../shared/platform/http/route.ts';
import type { Json } from '../build/openapi/json-schema.ts';
import { nameOf, RESOURCES } from './names.ts';

/** How the reply of an operation is read. */
export type ReplyKind = 'json' | 'empty' | 'events' | 'lines' | 'content';

/** An operation as clients offer it; schemas are those of the OpenAPI document. */
export interface Operation {
  operationId: string;
  resource: string;
  method: string;
  summary: string;
  description: string;
  http: Route['method'];
  /** Below `/api`. */
  path: string;
  pathParameters: readonly { name: string; schema: Json }[];
  query: Json | undefined;
  body: { schema: Json; contentType: string; isOptional: boolean; fileType: string | undefined } | undefined;
  reply: ReplyKind;
  replySchema: Json | undefined;
  contentTypes: readonly string[];
  /** Lists are read page by page, by their offset or by a cursor. */
  paging: 'offset' | 'cursor' | undefined;
  takesKey: boolean;
  takesIfMatch: boolean;
  errors: readonly ErrorCode[];
}

interface Shown {
  description?: string;
  parameters?: (Json & { name?: string; in?: string; required?: boolean; schema?: Json; description?: string })[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> };
  responses: Record<string, Json>;
}

/** Every operation of clients, by resource and method. Throws if two would have the same name. */
export function clientOperations(groups: readonly Group[], document: Json): Operation[] {
  const found: Operation[] = [];
  for (const { title, routes } of groups.flatMap(({ sections }) => sections)) {
    const naming = RESOURCES[title];
    if (naming === undefined) throw new Error(`infra/clients/names.ts has no resource for the section "${title}".`);
    if (naming === null) continue;
    for (const route of routes.filter(isForPrograms)) {
      const [resource, method] = nameOf(route, naming);
      found.push(operationOf(route, { resource, method }, document));
    }
  }
  const byName = Map.groupBy(found, ({ resource, method }) => `${resource}.${method}`);
  for (const [name, [one, other]] of byName) {
    if (other) throw new Error(`${one!.operationId} and ${other.operationId} would both be ${name}.`);
  }
  return found.sort((one, other) => (one.resource < other.resource ? -1 : one.resource > other.resource ? 1 : 0));
}

/** Redirects and pages are for browsers. */
const isForPrograms = ({ success }: Route): boolean =>
  !('to' in success || 'redirect' in success) &&
  !('contentTypes' in success && success.contentTypes[0].startsWith('text/html'));

function operationOf(route: Route, name: { resource: string; method: string }, document: Json): Operation {
  const path = route.path.slice('/api'.length);
  const shown = (document.paths as Record<string, Record<string, Shown>>)[path]![route.method.toLowerCase()]!;
  const success = resolve(document, shown.responses[route.success.status]!);
  const content = Object.entries((success.content ?? {}) as Record<string, { schema?: Json }>);
  const json = content.find(([type]) => /[/+]json\b/.test(type));
  const reply = replyKind(route, content.length);
  return {
    ...name,
    operationId: route.operationId,
    summary: route.summary,
    description: shown.description ?? '',
    http: route.method,
    path,
    pathParameters: (shown.parameters ?? [])
      .filter((parameter) => parameter.in === 'path')
      .map((parameter) => ({ name: parameter.name!, schema: parameter.schema! })),
    query: querySchema(shown),
    body: bodyOf(route, shown),
    reply,
    replySchema: reply === 'events' || reply === 'lines' ? content[0]?.[1].schema : json?.[1].schema,
    contentTypes: content.map(([type]) => type),
    paging: pagingOf(shown, resolve(document, json?.[1].schema ?? {})),
    takesKey: errorsOf(route).includes('IDEMPOTENCY_KEY_REUSED'),
    takesIfMatch: takesIfMatch(route),
    errors: errorsOf(route),
  };
}

function replyKind({ success }: Route, contents: number): ReplyKind {
  if ('events' in success) return 'events';
  if ('lines' in success) return 'lines';
  if ('contentTypes' in success) {
    const isJson = success.contentTypes.length === 1 && /[/+]json\b/.test(success.contentTypes[0]);
    return isJson ? 'json' : 'content';
  }
  return success.status === 204 || contents === 0 ? 'empty' : 'json';
}

function querySchema({ parameters = [] }: Shown): Json | undefined {
  const own = parameters.filter((parameter) => parameter.in === 'query');
  if (own.length === 0) return undefined;
  const properties = own.map(({ name, schema, description }) => [name, { description, ...schema }] as const);
  const required = own.filter((parameter) => parameter.required).map(({ name }) => name);
  return { type: 'object', properties: Object.fromEntries(properties), required };
}

function bodyOf(route: Route, { requestBody }: Shown): Operation['body'] {
  if (!requestBody) return undefined;
  const [contentType, { schema }] = Object.entries(requestBody.content)[0]!;
  return { schema, contentType, isOptional: !requestBody.required, fileType: route.fileBody?.contentType };
}

/** A list has `items`, and a total or the cursor of the next page. */
function pagingOf({ parameters = [] }: Shown, { properties = {} }: { properties?: Json }): Operation['paging'] {
  const takes = (name: string) => parameters.some((parameter) => parameter.in === 'query' && parameter.name === name);
  if (!('items' in properties)) return undefined;
  if (takes('cursor') && 'nextCursor' in properties) return 'cursor';
  return takes('offset') && 'total' in properties ? 'offset' : undefined;
}

/** The part of the document that a reference names. */
export function resolve(document: Json, part: Json): Json {
  if (typeof part.$ref !== 'string') return part;
  const found = part.$ref.split('/').slice(1);
  return resolve(
    document,
    found.reduce<Json>((inner, key) => inner[key] as Json, document),
  );
}
