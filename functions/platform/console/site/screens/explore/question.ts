/** What the fields and measures of a model are, as far as a question needs to know. */
export interface KnownField {
  id: string;
  name: string;
  /** The alias of its table. */
  table: string;
  dataType: string;
  aggregation: string;
  /** Whether it is aggregated rather than grouped by. */
  isMeasure: boolean;
  description: string;
}

export interface KnownMeasure {
  id: string;
  name: string;
  folder: string;
  description: string;
}

export interface Known {
  fields: ReadonlyMap<string, KnownField>;
  measures: ReadonlyMap<string, KnownMeasure>;
}

export const GRAINS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Grain = (typeof GRAINS)[number] | 'hour';
export const AGGREGATIONS = ['sum', 'avg', 'count', 'count_distinct', 'min', 'max'] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];
export type Value = string | number | boolean;

export interface ChosenDimension {
  fieldId: string;
  grain?: Grain;
}

/** A measure of the model, or an aggregated field. */
export interface ChosenMeasure {
  measureId?: string;
  fieldId?: string;
  aggregation?: Aggregation;
}

export interface ChosenFilter {
  fieldId: string;
  op: string;
  values: Value[];
}

export const COMPARISONS = { previous: 'the period before', year: 'a year earlier' } as const;
export type Comparison = keyof typeof COMPARISONS;

/** A question as a person builds it. It is kept in the address. */
export interface Draft {
  dimensions: ChosenDimension[];
  measures: ChosenMeasure[];
  filters: ChosenFilter[];
  sort?: { column: string; direction: 'asc' | 'desc' };
  limit: number;
  compare?: Comparison;
}

export const DEFAULT_LIMIT = 1_000;
export const EMPTY: Draft = { dimensions: [], measures: [], filters: [], limit: DEFAULT_LIMIT };

/** The draft of an address, of which what cannot be read, or is no longer in the model, is left out. */
export function readDraft(text: string | undefined, known: Known): Draft {
  let given: Partial<Draft> = {};
  try {
    given = (JSON.parse(text || '{}') ?? {}) as Partial<Draft>;
  } catch {
    return EMPTY;
  }
  const list = <T>(items: T[] | undefined): T[] => (Array.isArray(items) ? items.filter(Boolean) : []);
  const isField = ({ fieldId }: { fieldId?: string }) => fieldId !== undefined && known.fields.has(fieldId);
  const { sort, compare } = given;
  return {
    dimensions: list(given.dimensions).filter(isField),
    measures: list(given.measures).filter(
      (measure) => isField(measure) || (measure.measureId !== undefined && known.measures.has(measure.measureId)),
    ),
    filters: list(given.filters).filter((filter) => isField(filter) && Array.isArray(filter.values)),
    limit: Number.isInteger(given.limit) ? Math.max(1, Math.min(50_000, given.limit!)) : DEFAULT_LIMIT,
    ...(typeof sort?.column === 'string' && {
      sort: { column: sort.column, direction: sort.direction === 'asc' ? ('asc' as const) : ('desc' as const) },
    }),
    ...(compare && Object.hasOwn(COMPARISONS, compare) && { compare }),
  };
}

/** Empty for a question that asks nothing. */
export const writeDraft = (draft: Draft): string => {
  const { limit, filters, ...others } = draft;
  if (others.dimensions.length + others.measures.length + filters.length === 0) return '';
  return JSON.stringify({
    ...others,
    ...(filters.length > 0 && { filters }),
    ...(limit !== DEFAULT_LIMIT && { limit }),
  });
};

interface Labelled {
  label: string;
}

/** A question in the form of the API. */
export interface Question {
  dimensions: (ChosenDimension & Labelled)[];
  measures: (ChosenMeasure & Labelled & { expression?: string })[];
  filters: ChosenFilter[];
  sort: { column: string; direction: 'asc' | 'desc' }[];
  limit: number;
}

export function questionOf(draft: Draft, known: Known): Question {
  const taken = new Set<string>();
  const dimensions = draft.dimensions.map((dimension) => ({
    ...dimension,
    label: unique(taken, ...namesOfDimension(dimension, known)),
  }));
  const measures = draft.measures.flatMap((measure): Question['measures'] => {
    const label = unique(taken, ...namesOfMeasure(measure, known));
    const grain = comparedGrain(draft);
    if (!grain) return [{ ...measure, label }];
    const earlier = grain === 'year' ? 'a year earlier' : `a ${grain} earlier`;
    const expression = `PRIOR(${expressionOf(measure, known)}, "${grain}")`;
    return [
      { ...measure, label },
      { expression, label: unique(taken, `${label}, ${earlier}`) },
    ];
  });
  const labels = new Set([...dimensions, ...measures].map(({ label }) => label));
  return {
    dimensions,
    measures,
    filters: draft.filters.filter(isComplete),
    sort: draft.sort && labels.has(draft.sort.column) ? [draft.sort] : defaultSort(dimensions, measures),
    limit: draft.limit,
  };
}

/** Times in their order, and otherwise the largest first. */
function defaultSort(dimensions: Question['dimensions'], measures: Question['measures']): Question['sort'] {
  const time = dimensions.find(({ grain }) => grain);
  if (time) return [{ column: time.label, direction: 'asc' }];
  const [first] = measures;
  return first && dimensions.length > 0 ? [{ column: first.label, direction: 'desc' }] : [];
}

/** What a comparison goes back by; undefined if nothing is compared. */
function comparedGrain({ compare, dimensions }: Draft): Grain | undefined {
  const grain = dimensions.find((dimension) => dimension.grain)?.grain;
  if (!compare || !grain) return undefined;
  return compare === 'year' ? 'year' : grain;
}

/** The name that a column has, and the longer one if it is taken. */
function namesOfDimension({ fieldId, grain }: ChosenDimension, { fields }: Known): [string, string] {
  const { name, table } = fields.get(fieldId)!;
  const of = grain ? ` (${grain})` : '';
  return [name + of, `${table}.${name}${of}`];
}

function namesOfMeasure({ measureId, fieldId, aggregation }: ChosenMeasure, known: Known): [string, string] {
  if (measureId !== undefined) {
    const { name } = known.measures.get(measureId)!;
    return [name, name];
  }
  const { name, table } = known.fields.get(fieldId!)!;
  const how = wordsOf(aggregation ?? 'sum');
  return [`${how} of ${name}`, `${how} of ${table}.${name}`];
}

function unique(taken: Set<string>, ...names: string[]): string {
  const base = names.at(-1)!;
  let label = names.find((name) => !taken.has(name));
  for (let count = 2; label === undefined; count += 1) {
    if (!taken.has(`${base} ${count}`)) label = `${base} ${count}`;
  }
  taken.add(label);
  return label;
}

export const wordsOf = (code: string): string => code.replaceAll('_', ' ');

function expressionOf({ measureId, fieldId, aggregation }: ChosenMeasure, known: Known): string {
  if (measureId !== undefined) return `{${named(known.measures.get(measureId)!.name)}}`;
  const { name, table } = known.fields.get(fieldId!)!;
  return `${(aggregation ?? 'sum').toUpperCase()}([${named(table)}.${named(name)}])`;
}

const named = (name: string): string => (/[[\]{}."'\n\r]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

const NUMBERS = new Set(['number', 'integer', 'decimal']);
const TIMES = new Set(['date', 'datetime']);

export type Kind = 'text' | 'number' | 'time' | 'boolean';

export function kindOf({ dataType }: Pick<KnownField, 'dataType'>): Kind {
  if (NUMBERS.has(dataType)) return 'number';
  if (TIMES.has(dataType)) return 'time';
  return dataType === 'boolean' ? 'boolean' : 'text';
}

interface Operator {
  op: string;
  label: string;
  /** How many values it takes; `many` for any number. */
  takes: 0 | 1 | 2 | 'many' | 'grain' | 'periods';
}

const EMPTINESS: readonly Operator[] = [
  { op: 'is_null', label: 'is empty', takes: 0 },
  { op: 'not_null', label: 'is not empty', takes: 0 },
];

/** What can be asked of a field, by what its values are. */
export const OPERATORS: Readonly<Record<Kind, readonly Operator[]>> = {
  text: [
    { op: 'in', label: 'is one of', takes: 'many' },
    { op: 'not_in', label: 'is none of', takes: 'many' },
    { op: 'contains', label: 'contains', takes: 1 },
    { op: 'starts_with', label: 'starts with', takes: 1 },
    ...EMPTINESS,
  ],
  number: [
    { op: 'between', label: 'is between', takes: 2 },
    { op: 'gte', label: 'is at least', takes: 1 },
    { op: 'lte', label: 'is at most', takes: 1 },
    { op: 'eq', label: 'is', takes: 1 },
    { op: 'ne', label: 'is not', takes: 1 },
    ...EMPTINESS,
  ],
  time: [
    { op: 'last_n', label: 'is in the last', takes: 'periods' },
    { op: 'this', label: 'is in this', takes: 'grain' },
    { op: 'prev', label: 'is in the previous', takes: 'grain' },
    { op: 'between', label: 'is between', takes: 2 },
    { op: 'gte', label: 'is from', takes: 1 },
    { op: 'lte', label: 'is until', takes: 1 },
    ...EMPTINESS,
  ],
  boolean: [{ op: 'eq', label: 'is', takes: 1 }, ...EMPTINESS],
};

export const operatorOf = (kind: Kind, op: string): Operator =>
  OPERATORS[kind].find((each) => each.op === op) ?? OPERATORS[kind][0]!;

/** What a new filter of a kind begins with. */
export function newFilter(field: KnownField): ChosenFilter {
  const kind = kindOf(field);
  const { op } = OPERATORS[kind][0]!;
  const values: Record<Kind, Value[]> = { text: [], number: [], time: [30, 'day'], boolean: [true] };
  return { fieldId: field.id, op, values: values[kind] };
}

/** What another operator begins with, since it may take other values. */
export function withOperator(filter: ChosenFilter, kind: Kind, op: string): ChosenFilter {
  const { takes } = operatorOf(kind, op);
  const former = operatorOf(kind, filter.op).takes;
  const values: Value[] =
    takes === former ? filter.values : takes === 'periods' ? [30, 'day'] : takes === 'grain' ? ['month'] : [];
  return { ...filter, op, values };
}

/** Whether a filter has the values that it needs. One that has not asks nothing yet. */
export function isComplete({ op, values }: ChosenFilter): boolean {
  const given = values.filter((value) => value !== '');
  if (op === 'is_null' || op === 'not_null') return true;
  return given.length >= (op === 'between' || op === 'last_n' ? 2 : 1);
}

/** A name for the answer. */
export function titleOf({ dimensions, measures }: Question): string {
  const what = measures.filter(({ expression }) => expression === undefined).map(({ label }) => label);
  const by = dimensions.map(({ label }) => label);
  const title = what.length === 0 ? by.join(', ') : what.join(', ') + (by.length > 0 ? ` by ${by.join(', ')}` : '');
  return title.slice(0, 200);
}
