import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Group } from '../../../functions/group.ts';
import type { Route } from '../../../shared/platform/http/route.ts';
import { DETAILED_SCHEMAS } from './detailed-schemas.ts';
import type { Json } from './json-schema.ts';
import { showOperation } from './operation.ts';
import { SHARED_PARAMETERS } from './parameters.ts';
import { replySchemas, responseComponents, SHARED_HEADERS } from './responses.ts';
import { schemaComponents } from './schema-components.ts';
import { SECURITY_SCHEMES } from './security.ts';
import { EVENTS_TAG, openApiWebhooks, WEBHOOK_PARAMETERS, WEBHOOK_RESPONSES } from './webhooks.ts';

const INFO = {
  title: 'Analytics platform',
  version: '1',
  summary: 'Business analytics as a JSON REST API.',
  description: readFileSync(join(import.meta.dirname, '../../../functions/platform/docs/introduction.md'), 'utf8'),
  contact: { name: 'Maintainers of the analytics platform' },
  license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
};

/**
 * Creates the OpenAPI 3.1 document from the declared routes and events. The schemas are JSON Schema 2020-12 already; a
 * schema with an `$id` becomes a component and is referenced.
 */
export function openApiDocument(groups: readonly Group[]): Json {
  const sections = groups.flatMap((group) => group.sections);
  const routes = sections.flatMap((section) => section.routes);
  const components = schemaComponents(DETAILED_SCHEMAS, routes.flatMap(replySchemas));
  const responses = responseComponents(routes, components);
  const paths: Record<string, Json> = {};
  for (const { title, routes, examples } of sections) {
    for (const route of [...routes].sort(byPlace)) {
      const path = pathOf(route);
      const example = examples.get(route) ?? {};
      paths[path] ??= {};
      paths[path][route.method.toLowerCase()] = showOperation(route, { tag: title, example, components, responses });
    }
  }
  const webhooks = openApiWebhooks(components);
  return {
    openapi: '3.1.1',
    info: INFO,
    servers: [{ url: '/api', description: 'This deployment.' }],
    tags: [...sections.map(({ title, description }) => ({ name: title, description })), EVENTS_TAG],
    paths,
    webhooks,
    components: {
      schemas: byName(components.schemas),
      responses: byName({ ...responses.shared, ...WEBHOOK_RESPONSES }),
      parameters: { ...SHARED_PARAMETERS, ...WEBHOOK_PARAMETERS },
      headers: SHARED_HEADERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const pathOf = (route: Route): string => route.path.slice('/api'.length);

const METHODS: readonly Route['method'][] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Lists come before their records, and reads before writes. */
function byPlace(one: Route, other: Route): number {
  if (one.path !== other.path) return one.path < other.path ? -1 : 1;
  return METHODS.indexOf(one.method) - METHODS.indexOf(other.method);
}

const byName = (components: Json): Json =>
  Object.fromEntries(Object.entries(components).sort(([one], [other]) => (one < other ? -1 : 1)));
