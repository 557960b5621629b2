/** What forms read of the JSON Schemas of the API. References are resolved when the console is built. */
export interface JsonSchema {
  type?: string | readonly string[];
  title?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: readonly unknown[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  items?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  additionalProperties?: boolean | JsonSchema;
  patternProperties?: Readonly<Record<string, JsonSchema>>;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  format?: string;
}

/** How a value is asked for. */
export type Control =
  | { kind: 'text' | 'long' | 'number' | 'check' | 'json' }
  | { kind: 'fixed'; value: unknown }
  | { kind: 'choice'; values: readonly unknown[] }
  | { kind: 'object' }
  | { kind: 'list'; items: JsonSchema }
  | { kind: 'map'; values: JsonSchema }
  | { kind: 'variants'; member: string; variants: readonly JsonSchema[] };

/** Longer texts are asked for in several lines. */
const LONG_TEXT = 2_500;

export function controlOf(given: JsonSchema): Control {
  const schema = withoutNull(given);
  const { type, properties, items, enum: values } = schema;
  if (schema.const !== undefined) return { kind: 'fixed', value: schema.const };
  if (values) return values.length === 1 ? { kind: 'fixed', value: values[0] } : { kind: 'choice', values };
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return variantsOf(variants);
  if (type === 'boolean') return { kind: 'check' };
  if (type === 'integer' || type === 'number') return { kind: 'number' };
  if (type === 'string') return { kind: (schema.maxLength ?? 0) > LONG_TEXT ? 'long' : 'text' };
  if (type === 'array' && items) return { kind: 'list', items };
  if (properties && Object.keys(properties).length > 0) return { kind: 'object' };
  const entries = entriesOf(schema);
  return entries ? { kind: 'map', values: entries } : { kind: 'json' };
}

function withoutNull(schema: JsonSchema): JsonSchema {
  const all = schema.anyOf ?? schema.oneOf;
  const others = all?.filter(({ type }) => type !== 'null');
  if (!all || others!.length === all.length || others!.length !== 1) return schema;
  const { anyOf: _any, oneOf: _one, ...rest } = schema;
  return { ...others![0], ...rest };
}

/** Constants are a choice; objects that one member tells apart are variants. */
function variantsOf(variants: readonly JsonSchema[]): Control {
  const constants = variants.map((each) => each.const);
  if (constants.every((value) => value !== undefined)) return { kind: 'choice', values: constants };
  const member = Object.keys(variants[0]?.properties ?? {}).find((name) =>
    variants.every(({ properties }) => tagOf(properties?.[name]) !== undefined),
  );
  return member === undefined ? { kind: 'json' } : { kind: 'variants', member, variants };
}

/** The only value of a member that tells variants apart. */
export const tagOf = (schema: JsonSchema | undefined): unknown =>
  schema?.const ?? (schema?.enum?.length === 1 ? schema.enum[0] : undefined);

/** The values of an object whose members have names of the author. */
function entriesOf({ type, additionalProperties, patternProperties }: JsonSchema): JsonSchema | undefined {
  const values = Object.values(patternProperties ?? {})[0] ?? additionalProperties;
  return type === 'object' && typeof values === 'object' && withoutNull(values).type === 'string' ? values : undefined;
}

/** What a form begins with: the defaults, and the members that are required. */
export function initialValue(schema: JsonSchema): unknown {
  if (schema.default !== undefined) return schema.default;
  const control = controlOf(schema);
  switch (control.kind) {
    case 'fixed':
      return control.value;
    case 'object': {
      const { properties = {}, required = [] } = withoutNull(schema);
      const members = Object.entries(properties)
        .filter(([name, { default: value }]) => required.includes(name) || value !== undefined)
        .map(([name, member]) => [name, initialValue(member)] as const)
        .filter(([, value]) => value !== undefined);
      return Object.fromEntries(members);
    }
    case 'list':
      return Array.from({ length: schema.minItems ?? 0 }, () => initialValue(control.items));
    case 'variants':
      return initialValue(control.variants[0]!);
    default:
      return undefined;
  }
}

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  ca: 'CA',
  id: 'ID',
  ssl: 'SSL',
  url: 'URL',
  sql: 'SQL',
  wal: 'WAL',
};

/** The label of a member, such as `CA certificate` for `caCertificate`. */
export function labelOf(name: string, { title }: JsonSchema = {}): string {
  if (title) return title;
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .split(' ');
  const text = words.map((word) => ABBREVIATIONS[word] ?? word).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The schema with other labels of members, also of those within others, by their names. */
export const withTitles = (schema: JsonSchema, titles: Readonly<Record<string, string>>): JsonSchema => ({
  ...schema,
  ...(schema.items && { items: withTitles(schema.items, titles) }),
  ...(schema.properties && {
    properties: Object.fromEntries(
      Object.entries(schema.properties).map(([name, each]) => [
        name,
        { ...withTitles(each, titles), ...(titles[name] !== undefined && { title: titles[name] }) },
      ]),
    ),
  }),
});

/** The object without members that are empty, which is how optional ones are left out. */
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined && member !== '')
      .map(([name, member]) => [name, withoutEmpty(member)]),
  );
}
