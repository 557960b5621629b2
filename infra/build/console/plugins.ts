import type { Plugin } from 'esbuild';
import type { Json } from '../openapi/json-schema.ts';

/** The generated table of operations, so that a build writes nothing beside the sources of the client. */
export const generatedClient = (operations: string): Plugin => ({
  name: 'generated-client',
  setup(build) {
    build.onResolve({ filter: /\/generated\/operations\.ts$/ }, ({ path }) => ({ path, namespace: 'generated' }));
    build.onLoad({ filter: /.*/, namespace: 'generated' }, () => ({ contents: operations, loader: 'ts' }));
  },
});

/**
 * The schemas that the console makes forms of, from the components of the OpenAPI document, without the members that its
 * screens ask for by other means.
 */
const FORM_SCHEMAS: Readonly<Record<string, readonly string[]>> = {
  CreatePostgresDataSource: [],
  CreateMysqlDataSource: [],
  CreateS3DataSource: [],
  CreateHttpDataSource: [],
  CreateAlert: ['condition', 'channels', 'repeat'],
  AlertFieldCondition: ['source', 'threshold', 'recover'],
  AlertMetricCondition: ['filters', 'threshold', 'recover'],
  QualityGate: [],
};

/** Fills `data/form-schemas.ts` with schemas without references. Throws if one does not exist. */
export const formSchemas = (document: Json): Plugin => ({
  name: 'form-schemas',
  setup(build) {
    const all = (document.components as { schemas: Record<string, Json> }).schemas;
    const found = Object.fromEntries(
      Object.entries(FORM_SCHEMAS).map(([name, omitted]) => {
        if (!all[name]) throw new Error(`The OpenAPI document has no schema ${name}.`);
        return [name, withoutReferences(withoutMembers(all[name], omitted), all)];
      }),
    );
    build.onLoad({ filter: /[\\/]data[\\/]form-schemas\.ts$/ }, () => ({
      contents: `export const formSchemas = ${JSON.stringify(found)};`,
      loader: 'js',
    }));
  },
});

/** Fills `data/event-names.ts` with the events that webhooks receive, and when each is sent. */
export const eventNames = (document: Json): Plugin => ({
  name: 'event-names',
  setup(build) {
    const events = Object.entries(document.webhooks as Record<string, { post: { description: string } }>);
    const found = Object.fromEntries(
      events.map(([name, { post }]) => [name, `${post.description.split('. ')[0]!.replace('Sent when', 'When')}.`]),
    );
    build.onLoad({ filter: /[\\/]data[\\/]event-names\.ts$/ }, () => ({
      contents: `export const eventNames = ${JSON.stringify(found)};`,
      loader: 'js',
    }));
  },
});

function withoutMembers(schema: Json, omitted: readonly string[]): Json {
  if (omitted.length === 0) return schema;
  const { properties, required = [] } = schema as { properties: Json; required?: string[] };
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !omitted.includes(name))),
    required: required.filter((name) => !omitted.includes(name)),
  };
}

function withoutReferences(value: unknown, all: Readonly<Record<string, Json>>): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutReferences(each, all));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref: reference, examples: _examples, ...own } = value as Json;
  const named = typeof reference === 'string' ? all[reference.split('/').at(-1)!] : undefined;
  const entries = Object.entries({ ...named, ...own }).map(([key, each]) => [key, withoutReferences(each, all)]);
  return withDefault(Object.fromEntries(entries));
}

const DEFAULT = /\s*Default: `(.+)`\.$/;

/** The document says what the default of a member is in the last sentence of its description. */
function withDefault(schema: Json): Json {
  const { description } = schema;
  const text = typeof description === 'string' ? DEFAULT.exec(description)?.[1] : undefined;
  if (text === undefined) return schema;
  const { description: _described, ...others } = schema;
  const rest = (description as string).replace(DEFAULT, '');
  return { ...others, ...(rest && { description: rest }), default: JSON.parse(text) as unknown };
}
