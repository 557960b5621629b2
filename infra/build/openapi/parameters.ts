import { errorsOf, type Route, takesIfMatch } from '../../../shared/platform/http/route.ts';
import { MAX_OFFSET } from '../../../shared/platform/storage/list-request.ts';
import { isJson, type Json } from './json-schema.ts';
import type { SchemaComponents } from './schema-components.ts';

/** Headers that several operations accept. */
export const SHARED_PARAMETERS: Json = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes a repeated request safe: for 24 hours the same key and request get the first reply again. ' +
      'After a 5xx reply, or none, send the request again with the same key. While the first one may still be running, for 30 seconds at most, ' +
      'the reply is 409 with `Retry-After`; after that the request continues with the id of the first, so nothing is created twice. ' +
      'A rejected request (4xx) does not use up its key.',
    schema: { type: 'string', maxLength: 200 },
    example: '5f0f2f0e-0b43-4f0a-9d0c-3a1f5b8f2c11',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The `ETag` that was read. The request is rejected with 412 when the record has changed since.',
    schema: { type: 'string' },
    example: '"7"',
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'The id of the last event received. The stream continues after it.',
    schema: { type: 'string' },
    example: '42',
  },
};

export function showParameters(route: Route, components: SchemaComponents): Json[] {
  return [
    ...declared(route.params, 'path', components),
    ...declared(route.query, 'query', components).map((parameter) => withMaximum(route, parameter)),
    ...sharedBy(route).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

function sharedBy(route: Route): string[] {
  return [
    ...(errorsOf(route).includes('IDEMPOTENCY_KEY_REUSED') ? ['IdempotencyKey'] : []),
    ...(takesIfMatch(route) ? ['IfMatch'] : []),
    ...('events' in route.success ? ['LastEventId'] : []),
  ];
}

function declared(schema: unknown, place: 'path' | 'query', components: SchemaComponents): Json[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, default: value, ...rest }]) => {
    const shown = components.show(rest, 'request') as Json;
    return {
      name,
      in: place,
      ...(description === undefined ? {} : { description }),
      ...(rest.deprecated === true ? { deprecated: true } : {}),
      required: place === 'path' || (required.includes(name) && value === undefined),
      schema: value === undefined ? shown : { ...shown, default: value },
    };
  });
}

/** A larger offset has an error of its own, so the declaration itself has no maximum. */
function withMaximum(route: Route, parameter: Json): Json {
  if (parameter.name !== 'offset' || !route.errors?.includes('OFFSET_TOO_LARGE') || !isJson(parameter.schema))
    return parameter;
  return { ...parameter, schema: { ...parameter.schema, maximum: MAX_OFFSET } };
}
