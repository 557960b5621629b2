import type { Example } from '../../../shared/platform/http/example.ts';
import { isScim, type Route } from '../../../shared/platform/http/route.ts';
import type { Json } from './json-schema.ts';
import { showParameters } from './parameters.ts';
import { type ResponseComponents, showSuccess } from './responses.ts';
import type { SchemaComponents } from './schema-components.ts';
import { rightsOf, securityOf } from './security.ts';

interface Context {
  tag: string;
  example: Example;
  components: SchemaComponents;
  responses: ResponseComponents;
}

/** Renders a declared route as an operation of the document. */
export function showOperation(route: Route, { tag, example, components, responses }: Context): Json {
  const parameters = showParameters(route, components);
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: [route.description, rightsOf(route)].filter(Boolean).join('\n\n'),
    tags: [tag],
    security: securityOf(route),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body ? { requestBody: requestBody(route, components, example.request) } : {}),
    responses: {
      [route.success.status]: showSuccess(route, components, example.reply),
      ...responses.failuresOf(route),
    },
  };
}

function requestBody(route: Route, components: SchemaComponents, example: unknown): Json {
  const schema = components.show(route.body, 'request');
  const content = { schema, ...(example === undefined ? {} : { example }) };
  const file = route.fileBody && { [route.fileBody.contentType]: { schema: { type: 'string' } } };
  return {
    required: route.optionalBody !== true,
    content: { [bodyType(route)]: content, ...file },
  };
}

/**
 * One content type per schema, although SCIM and forms are also accepted as plain JSON: generators of clients choose
 * none of several, or write code that does not run.
 */
function bodyType(route: Route): string {
  if (isScim(route)) return 'application/scim+json';
  return route.form ? 'application/x-www-form-urlencoded' : 'application/json';
}
