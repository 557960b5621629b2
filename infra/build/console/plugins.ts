import { readFile } from 'node:fs/promises';
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

/** Styles of the pages of dashboards, which the console has only inside of a board: their selectors are short. */
export const boardStyles: Plugin = {
  name: 'board-styles',
  setup(build) {
    build.onLoad({ filter: /[\\/]boards[\\/]browser[\\/]styles[\\/][\w-]+\.css$/ }, async ({ path }) => ({
      // As specific as on their own.
      contents: `:where(.board) {\n${await readFile(path, 'utf8')}\n}`,
      loader: 'css',
    }));
  },
};

/** The schemas that the console makes forms of, from the components of the OpenAPI document. */
const FORM_SCHEMAS = [
  'CreatePostgresDataSource',
  'CreateMysqlDataSource',
  'CreateS3DataSource',
  'CreateHttpDataSource',
] as const;

/** Fills `data/form-schemas.ts` with schemas without references. Throws if one does not exist. */
export const formSchemas = (document: Json): Plugin => ({
  name: 'form-schemas',
  setup(build) {
    const all = (document.components as { schemas: Record<string, Json> }).schemas;
    const found = Object.fromEntries(
      FORM_SCHEMAS.map((name) => {
        if (!all[name]) throw new Error(`The OpenAPI document has no schema ${name}.`);
        return [name, withoutReferences(all[name], all)];
      }),
    );
    build.onLoad({ filter: /[\\/]data[\\/]form-schemas\.ts$/ }, () => ({
      contents: `export const formSchemas = ${JSON.stringify(found)};`,
      loader: 'js',
    }));
  },
});

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
