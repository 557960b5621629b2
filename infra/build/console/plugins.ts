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

/**
 * The schemas that the console makes forms of, from the components of the OpenAPI document, by the files of `data` that
 * export them.
 */
const FORM_SCHEMAS: Readonly<Record<string, readonly string[]>> = {
  form: [
    'CreatePostgresDataSource',
    'CreateMysqlDataSource',
    'CreateS3DataSource',
    'CreateHttpDataSource',
    'CreateAlert',
    'AlertFieldCondition',
    'AlertMetricCondition',
    'QualityGate',
    'UpdateDataQualityScanSchedule',
  ],
  step: [
    'ExtractTableConfig',
    'ExtractFileConfig',
    'ExtractQueryConfig',
    'ExtractDatasetConfig',
    'ExtractStreamConfig',
    'SqlConfig',
    'RecipeConfig',
    'TransformCodeConfig',
    'RouteConfig',
    'AppendToDatasetConfig',
    'OverwriteDatasetConfig',
    'MergeIntoDatasetConfig',
    'AppendToTableConfig',
    'OverwriteTableConfig',
    'MergeIntoTableConfig',
    'AppendFilesConfig',
    'OverwriteFilesConfig',
    'StepRetry',
    'StepWhen',
    'Parameter',
    'ForEach',
  ],
  stream: ['CreateCdcStream'],
  transform: [
    'FilterRowsConfig',
    'RemoveColumnsConfig',
    'RenameColumnConfig',
    'ChangeTypeConfig',
    'AddColumnConfig',
    'ReplaceValuesConfig',
    'SortRowsConfig',
    'TopNConfig',
    'DeduplicateConfig',
    'GroupAggregateConfig',
  ],
};

/** The members of schemas that screens ask for by other means. */
const OMITTED: Readonly<Record<string, readonly string[]>> = {
  CreateAlert: ['condition', 'channels', 'repeat'],
  AlertFieldCondition: ['source', 'threshold', 'recover'],
  AlertMetricCondition: ['filters', 'threshold', 'recover'],
};

/** Fills `data/form-schemas.ts` and its like with schemas. Throws if one does not exist. */
export const formSchemas = (document: Json): Plugin => ({
  name: 'form-schemas',
  setup(build) {
    const all = (document.components as { schemas: Record<string, Json> }).schemas;
    build.onLoad({ filter: /[\\/]data[\\/](form|step|stream|transform)-schemas\.ts$/ }, ({ path }) => {
      const kind = /(form|step|stream|transform)-schemas\.ts$/.exec(path)![1]!;
      return { contents: schemaModule(`${kind}Schemas`, FORM_SCHEMAS[kind]!, all), loader: 'js' };
    });
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

/** Schemas without references: what several of them share is a constant, so that it is there once. */
function schemaModule(exported: string, names: readonly string[], all: Readonly<Record<string, Json>>): string {
  const constants = new Map<string, string>();
  const written = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const { $ref: reference, examples: _examples, ...own } = value as Json;
    const members = Object.entries(withDefault(own)).map(([key, each]) => `${JSON.stringify(key)}:${written(each)}`);
    if (typeof reference === 'string') members.unshift(`...${constantOf(reference.split('/').at(-1)!)}`);
    return `{${members.join(',')}}`;
  };
  const constantOf = (name: string): string => {
    if (!all[name]) throw new Error(`The OpenAPI document has no schema ${name}.`);
    // A schema is added after those that it refers to.
    if (!constants.has(name)) constants.set(name, written(withoutMembers(all[name], OMITTED[name] ?? [])));
    return name;
  };
  const members = names.map(constantOf);
  const declared = [...constants].map(([name, text]) => `const ${name}=${text};`);
  return `${declared.join('\n')}\nexport const ${exported}={${members.join(',')}};`;
}

function withoutMembers(schema: Json, omitted: readonly string[]): Json {
  if (omitted.length === 0) return schema;
  const { properties, required = [] } = schema as { properties: Json; required?: string[] };
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !omitted.includes(name))),
    required: required.filter((name) => !omitted.includes(name)),
  };
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
