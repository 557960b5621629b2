import type { Group } from '../../functions/group.ts';
import { PERMISSIONS } from '../../shared/platform/auth/permissions.ts';
import { ERRORS } from '../../shared/platform/errors/catalogue.ts';
import { Problem, statusOf } from '../../shared/platform/http/problem.ts';
import { errorsOf, isVersioned, type Route, takesIfMatch } from '../../shared/platform/http/route.ts';
import { EVENTS_TAG, openApiWebhooks } from './openapi-webhooks.ts';

type Json = Record<string, unknown>;

/**
 * The OpenAPI 3.1 document of the declared routes and events. Schemas are JSON Schema 2020-12 already; a schema with an `$id`
 * becomes a component and is referred to.
 */
export function openApiDocument(groups: readonly Group[]): Json {
  const components: Json = {};
  const schema = (value: unknown) => withReferences(value, components);
  schema(Problem);
  const paths: Record<string, Json> = {};
  for (const group of groups) {
    for (const route of group.routes) {
      const path = route.path.slice('/api'.length);
      paths[path] ??= {};
      paths[path][route.method.toLowerCase()] = operation(route, group.title, schema);
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Analytics platform',
      version: '1',
      description:
        'Business analytics as a JSON REST API. Send `Authorization: Bearer <token>` with an access token from signing in, or with an API key. Failures are problem documents (RFC 9457) with a stable `code`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api' }],
    tags: [...[...new Set(groups.map(({ title }) => title))].map((name) => ({ name })), EVENTS_TAG],
    security: [{ bearer: [] }],
    paths,
    webhooks: openApiWebhooks(schema),
    components: {
      schemas: components,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An access token, or an API key (`ak_…`).' },
      },
    },
  };
}

function operation(route: Route, tag: string, schema: (value: unknown) => unknown): Json {
  const body = route.body && {
    required: route.optionalBody !== true,
    content: { 'application/json': { schema: schema(asSent(route.body)) } },
  };
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: [route.description, rights(route)].filter(Boolean).join('\n\n'),
    tags: [tag],
    ...(route.permission === 'public' ? { security: [] } : {}),
    parameters: [
      ...parameters(route.params, 'path', schema),
      ...parameters(route.query, 'query', schema),
      ...headers(route),
    ],
    ...(body ? { requestBody: body } : {}),
    responses: { [route.success.status]: success(route, schema), ...failures(route) },
  };
}

/** What has a default is there when the function runs, but need not be sent. */
function asSent(body: unknown): unknown {
  const { required, properties } = body as { required?: string[]; properties?: Record<string, Json> };
  if (!required || !properties) return body;
  return { ...(body as Json), required: required.filter((name) => !('default' in (properties[name] ?? {}))) };
}

function rights(route: Route): string {
  if (route.permission === 'public') return '';
  const { role, key } = PERMISSIONS[route.permission] as { role: string; key: string | null };
  const keys = key === null ? 'not with an API key' : `with an API key of scope \`${key}\` or more`;
  return `For ${role === 'viewer' ? 'every member' : role === 'admin' ? 'admins' : 'editors and admins'}; ${keys}.`;
}

function parameters(declared: unknown, place: 'path' | 'query', schema: (value: unknown) => unknown): Json[] {
  const { properties = {}, required = [] } = (declared ?? {}) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: place,
    required: place === 'path' || (required.includes(name) && !('default' in value)),
    schema: schema(value),
  }));
}

function headers(route: Route): Json[] {
  const declared: Json[] = [];
  if (route.idempotent) {
    const description =
      'The same key and request within 24 hours answer the first reply again. Without an answer, or with a 5xx or 504, send it again: ' +
      'while the first request may be at work (30 seconds at most) the answer is 409 with `Retry-After`; then it goes on with the same id, so ' +
      'that what the first has created is found and not created twice. A refusal (4xx) is not cached.';
    declared.push({ name: 'Idempotency-Key', in: 'header', description, schema: { type: 'string', maxLength: 200 } });
  }
  if (takesIfMatch(route)) {
    const description =
      'The `ETag` that was read, such as `"7"`: changes nothing when the record has another one by now.';
    declared.push({ name: 'If-Match', in: 'header', description, schema: { type: 'string' } });
  }
  return declared;
}

const ETag = { description: 'The revision of the record, for `If-Match`.', schema: { type: 'string' } };

function success(route: Route, schema: (value: unknown) => unknown): Json {
  const { success: declared } = route;
  const description = declared.description ?? 'Success';
  if (declared.status === 204) return { description };
  if ('events' in declared)
    return { description, content: { 'text/event-stream': { schema: schema(declared.events) } } };
  if ('contentTypes' in declared) {
    const forms = declared.contentTypes.map((type) => [
      type,
      { schema: type === 'application/json' && declared.body ? schema(declared.body) : { type: 'string' } },
    ]);
    return { description, content: Object.fromEntries(forms) };
  }
  return {
    description,
    ...(isVersioned(route) ? { headers: { ETag } } : {}),
    content: { 'application/json': { schema: schema(declared.body) } },
  };
}

/** Codes with one status share a reply; its description lists them. */
function failures(route: Route): Json {
  const byStatus = new Map<number, string[]>();
  for (const code of errorsOf(route)) {
    const status = statusOf(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), `\`${code}\`: ${ERRORS[code][1]}`]);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, lines]) => [
        status,
        {
          description: lines.join('\n\n'),
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      ]),
  );
}

function withReferences(value: unknown, components: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, components));
  if (typeof value !== 'object' || value === null) return value;
  const { $id, ...rest } = value as { $id?: unknown };
  const inner = Object.fromEntries(
    Object.entries(rest).map(([name, member]) => [name, withReferences(member, components)]),
  );
  if (typeof $id !== 'string') return inner;
  const known = components[$id];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(inner)) {
    throw new Error(`two different schemas are called ${$id}`);
  }
  components[$id] = inner;
  return { $ref: `#/components/schemas/${$id}` };
}
