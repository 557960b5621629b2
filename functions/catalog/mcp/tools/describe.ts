import type { CalledGroup, Operations } from '../../common/operations.ts';
import { fittingItems, omissionOf } from '../limits.ts';
import type { Arguments, Tool } from '../tool.ts';
import { pick } from '../trust.ts';

type Properties = Readonly<Record<string, unknown>>;
type Describe = (operations: Operations, args: Arguments) => Promise<Properties>;

const record = async (operations: Operations, group: CalledGroup, path: string): Promise<Properties> =>
  operations.read({ group, method: 'GET', path });

const PART_LIMIT = 10_000;
const FIELD = ['id', 'name', 'description', 'fieldType', 'dataType', 'aggregation', 'format', 'semanticType'];
const MEASURE = ['id', 'name', 'description', 'dataType', 'format', 'expression', 'stale'];

/** A model with its fields and measures, except for those that it hides. */
const model: Describe = async (operations, { id, search }) => {
  const path = `/api/models/${id}`;
  const parts = (name: string, query: Properties = {}) =>
    operations.read({
      group: 'models',
      method: 'GET',
      path: `${path}/${name}`,
      query: { limit: PART_LIMIT, ...query },
    });
  const [found, tables, measures] = await Promise.all([
    record(operations, 'models', path),
    parts('tables', { includeFields: true }),
    parts('measures'),
  ]);
  const isWanted = (part: Properties) => !part.isHidden && (search === undefined || isNamed(part, search));
  const fields = (tables.items as { alias: string; fields: Properties[] }[]).flatMap(({ alias, fields }) =>
    fields.filter(isWanted).map((field) => ({ table: alias, ...pick(field, FIELD) })),
  );
  const wanted = (measures.items as Properties[]).filter(isWanted).map((measure) => pick(measure, MEASURE));
  return withFitting(withoutStamps(found), { measures: wanted, fields }, 'look for others with `search`');
};

const isNamed = ({ name, description }: Properties, text: string): boolean =>
  `${name}\n${description}`.toLowerCase().includes(text.toLowerCase());

const CARD = ['id', 'title', 'description', 'cardType', 'pageId', 'textContent', 'value'];
const FILTER = ['id', 'label', 'fieldId', 'filterType', 'defaultValue'];

/** A dashboard with its pages, cards and filters, without how they are drawn. */
const dashboard: Describe = async (operations, { id }) => {
  const found = await record(operations, 'dashboards', `/api/dashboards/${id}`);
  const parts = (kind: string, names: readonly string[]) =>
    (found[kind] as Properties[]).map((part) => pick(part, names));
  return withFitting(
    pick(found, ['id', 'name', 'description', 'stage', 'isPublished', 'publishedAt', 'timezone', 'updatedAt']),
    {
      pages: parts('pages', ['id', 'title', 'name']),
      cards: parts('cards', CARD),
      filters: parts('filters', FILTER),
    },
    'look for other cards with `find`',
  );
};

const KINDS: Readonly<Record<string, Describe>> = {
  model,
  metric: async (operations, { id }) => withoutStamps(await record(operations, 'metrics', `/api/metrics/${id}`)),
  saved_query: async (operations, { id }) =>
    withoutStamps(await record(operations, 'saved-queries', `/api/saved-queries/${id}`)),
  dashboard,
  term: async (operations, { id }) => withoutStamps(await record(operations, 'catalog', `/api/catalog/terms/${id}`)),
};

/** The record with the parts that fit, and with advice on how to get the others. */
function withFitting(
  found: Properties,
  lists: Readonly<Record<string, readonly Properties[]>>,
  advice: string,
): Properties {
  const warnings: string[] = [];
  const kept = Object.entries(lists).map(([name, items]) => {
    const fitting = fittingItems(items, items.length);
    warnings.push(...omissionOf(name, fitting, items, advice));
    return [name, fitting] as const;
  });
  return { ...found, ...Object.fromEntries(kept), warnings };
}

/** What only editors of the record need. */
const STAMPS: readonly string[] = ['workspaceId', 'createdBy', 'createdAt', 'updatedBy', 'revision'];
const withoutStamps = (found: Properties): Properties =>
  Object.fromEntries(Object.entries(found).filter(([name]) => !STAMPS.includes(name)));

export const describe: Tool = {
  name: 'describe',
  title: 'Describe an object',
  description:
    'Says what an object means and what it can be asked: the fields and measures of a model, the definition and target of a metric, the parameters of a saved query, the pages, cards and filters of a dashboard, the definition of a term.',
  input: {
    type: 'object',
    properties: {
      type: { type: 'string', enum: Object.keys(KINDS), description: 'The type of the object, as `find` returns it.' },
      id: { type: 'string', format: 'uuid', description: 'The id of the object, such as from `find`.' },
      search: {
        type: 'string',
        minLength: 1,
        maxLength: 200,
        description: 'For a model: only fields and measures with this text in the name or description.',
      },
    },
    required: ['type', 'id'],
  },
  run: async (args, operations) => ({ value: await KINDS[args.type]!(operations, args) }),
};
