import { IDS } from '../../../functions/platform/example-values.ts';
import { DOCUMENT } from '../api-document.ts';

// biome-ignore lint/suspicious/noExplicitAny: replies of every shape
type Json = any;

/** Records of each list. */
const RECORDS = 12;
const ROWS = 40;

/** An operation with the example of its reply. */
export interface Example {
  operationId: string;
  path: string;
  method: string;
  schema: Json;
  value: Json;
}

/** Examples have these of one kind in different places. */
const ALIKE: readonly (readonly string[])[] = [
  [IDS.user, IDS.colleague],
  [IDS.orders, IDS.customers],
  [IDS.database, IDS.files],
  [IDS.pipeline, IDS.upstream],
  [IDS.modelTable, IDS.customersTable],
  [IDS.modelField, IDS.customerKey],
  [IDS.term, IDS.broaderTerm],
];

/** What people write. */
const WRITTEN =
  /^(name|title|description|label|message|note|reason|summary|comment|definition|detail|text|(pipeline|source|dataset|metric|model|parent)Name)$/;
/** Names of tables and columns. */
const TECHNICAL = /^(tableName|columnName|sourceTable|table|tag)$/;
/** Without spaces, which no line can be broken at. */
const WORD = 'Donaudampfschifffahrtsgesellschaftskapitän';
const TABLE = '_of_all_regional_subsidiaries_before_deduplication';

const REFERENCE = /^(id|\w+Ids?|\w+By|actor)$/;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const NUMERIC = /^-?\d+(\.\d+)?$/;
const TIME = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/;
/** What a record may be without. */
const LEFT_OUT =
  /^(description|email|lastUsedAt|lastAccessedAt|lastDeliveryAt|lastRunAt|lastFailedAt|expiresAt|rowCount|sizeBytes|estimatedRows|score|passRate|durationMs|certifiedBy|userAgent|sourceIp|address)$/;
/** What is counted or measured. */
const MEASURED =
  /(count|rows|bytes|seconds|ms|views|queries|views30d|queries30d|occurrences|value|current|previous|expected|expectedLow|expectedHigh|mean|runs|failures|dependents)$/i;
/** Where there may be thousands of millions. */
const HUGE = /(rows|bytes|rowCount|value|current|previous|expected\w*)$/i;
/** Months at most. */
const LASTING = /(seconds|ms)$/i;
/** What records of a list have in different states. */
const VARIED = /^(status|severity|outcome|trend|effect|state|freshness)$/;
/** Parts of a record that are records. */
const PARTS = /^(items|cards|sections|lines|topValues)$/;

/** The examples of all operations as those of a workspace with much data: records of lists have ids of their own. */
export function muchData(examples: readonly Example[]): Map<Example, Json> {
  const series = seriesOf(examples);
  const much = new Map(
    examples.map((example): [Example, Json] => {
      const parents = new Set(parentsOf(example.path, examples).filter((id) => id !== undefined));
      return [example, fill(example.value, example.schema, { key: '', index: 0, series, parents })];
    }),
  );
  const itemsOf = (path: string) =>
    [...much].find(([each]) => each.path === path && each.method === 'GET')![1].items as Json[];
  for (const table of itemsOf('/models/{modelId}/tables')) {
    table.fields = itemsOf('/models/{modelId}/fields').filter(({ tableId }) => tableId === table.id);
  }
  return much;
}

/** The id that examples have in the place of each parameter of a path, as far as there is a list of such records. */
export function parentsOf(path: string, examples: readonly Example[]): (string | undefined)[] {
  return [...path.matchAll(/\/\{\w+\}/g)].map(({ index }) => {
    const list = examples.find((each) => each.method === 'GET' && each.path === path.slice(0, index));
    const own = examples.find((each) => each.method === 'GET' && each.path === path.replace(/(?<=\}).*/, ''));
    return ownIdOf(list?.value?.items?.[0]) ?? (UUID.test(own?.value?.id) ? own?.value.id : undefined);
  });
}

const ownIdOf = (record: Json): string | undefined => record?.id ?? record?.userId;

/** The ids of the records of a list, by each id that an example has of one. */
type Series = ReadonlyMap<string, readonly string[]>;

function seriesOf(examples: readonly Example[]): Series {
  const all = new Map<string, readonly string[]>();
  for (const { value } of examples) {
    const ids = (value?.items ?? []).map(ownIdOf).filter((id: unknown) => typeof id === 'string' && !all.has(id));
    if (!Array.isArray(value?.items) || ids.length === 0) continue;
    const known = [...new Set([...ids, ...ALIKE.filter((alike) => alike.some((id) => ids.includes(id))).flat()])];
    const others = Array.from({ length: RECORDS - known.length }, (_, at) => another(known[0], at + known.length));
    for (const id of known) all.set(id, [...known, ...others]);
  }
  return all;
}

const another = (id: string, index: number): string => `${id.slice(0, -2)}${String(index).padStart(2, '0')}`;

interface Place {
  key: string;
  /** Of the record in its list. */
  index: number;
  series: Series;
  /** Records that the path of the operation names, to which all records of the reply belong. */
  parents: ReadonlySet<string>;
  /** Whether the record that the value is in has an id. */
  isNamed?: boolean;
}

function fill(value: Json, declared: Json, place: Place): Json {
  const { key, index } = place;
  const schema = resolve(declared, value);
  if (index % 4 === 3 && LEFT_OUT.test(key) && mayBeNull(declared)) return null;
  if (typeof value === 'string') return fillText(value, schema, place);
  if (typeof value === 'number') return MEASURED.test(key) ? fillNumber(value, schema, place) : value;
  if (Array.isArray(value)) return fillList(value, schema, place);
  return value === null || typeof value !== 'object' ? value : fillRecord(value, schema, place);
}

function fillText(value: string, schema: Json, place: Place): string {
  const { key, index } = place;
  const reference = referenceIn(value, place);
  if (reference !== undefined) return reference;
  const options: readonly string[] = schema?.enum ?? [];
  // The person may change what is shown.
  if (key === 'permission' && options.includes('editor')) return 'editor';
  if (VARIED.test(key) && options.length > 0) return options[(options.indexOf(value) + index) % options.length]!;
  if (options.length > 0 || schema?.const !== undefined) return value;
  if (TIME.test(value) && index > 0) return earlier(value, index);
  if (MEASURED.test(key) && NUMERIC.test(value)) return MEASURES[index % MEASURES.length] || value;
  const longer = longerText(value, place);
  return longer.length <= (schema?.maxLength ?? Infinity) && matches(longer, schema?.pattern) ? longer : value;
}

const MEASURES = ['', '98765432109876543.21', '0.01', '-7.00'];
const matches = (text: string, pattern: string | undefined): boolean => !pattern || new RegExp(pattern, 'u').test(text);

/** The id of a record, or of one that it refers to; undefined for other texts. */
function referenceIn(value: string, { key, index, series, parents }: Place): string | undefined {
  const ids = series.get(value);
  if (!UUID.test(value) && !(REFERENCE.test(key) && ids)) return undefined;
  return ids && !parents.has(value) ? ids[(ids.indexOf(value) + index) % ids.length] : value;
}

function longerText(value: string, { key, index, isNamed }: Place): string {
  if (key === 'email') return `${WORD.toLowerCase().replace('ä', 'ae')}.${index}.${value}`;
  if (TECHNICAL.test(key) || (key === 'name' && !isNamed)) return technical(value, index);
  if (WRITTEN.test(key)) return `${value} ${WORD} & <b>“quoted”</b> ${'with many words '.repeat(6)}${index}`;
  if (key !== 'url' || !value.startsWith('https://')) return value;
  return `${value}/${'long-segments-of-a-path/'.repeat(4)}${index}`;
}

const technical = (value: string, index: number): string =>
  index === 0 || value === '' ? value : `${value}${index % 4 === 1 ? TABLE : ''}_${index}`;

const earlier = (value: string, index: number): string =>
  new Date(Date.parse(value) - index * 93_600_000).toISOString().slice(0, value.length);

function fillNumber(value: number, schema: Json, { key, index }: Place): number {
  const isWhole = schema?.type === 'integer' || Number.isInteger(value);
  const factor = HUGE.test(key) ? 7_654_321 : 4_321;
  const fraction = LASTING.test(key) ? 12_345_678.5 : 12_345_678_901_234.5;
  const size = [value, isWhole ? value * factor : fraction, isWhole ? 0 : 0.0000012, value * 37];
  return Math.max(schema?.minimum ?? -1e15, Math.min(schema?.maximum ?? 9e15, size[index % 4]!));
}

function fillList(value: Json[], schema: Json, place: Place): Json[] {
  const [first] = value;
  const isMany = PARTS.test(place.key) && first !== null && typeof first === 'object' && !Array.isArray(first);
  if (!isMany) {
    if (place.key === 'tags' && value.length > 0) {
      return [...value, 'finance-and-controlling', 'quarterly', 'do-not-use-without-asking', 'eu'].slice(
        0,
        schema?.maxItems ?? 5,
      );
    }
    return value.map((each) => fill(each, schema?.items, place));
  }
  const many = Math.min(RECORDS, schema?.maxItems ?? RECORDS);
  return Array.from({ length: many }, (_, at) => {
    const record = fill(value[at % value.length], schema?.items, { ...place, key: '', index: at });
    return distinct(record, at);
  });
}

/** Pages of a dashboard have their cards side by side, and versions are numbered. */
function distinct(record: Json, at: number): Json {
  const { position, version, ordinal, pageIndex } = record;
  return {
    ...record,
    ...(position?.w && { position: { ...position, x: (at % 2) * 12, y: Math.floor(at / 2) * position.h } }),
    ...(typeof ordinal === 'number' && { ordinal: ordinal + at }),
    ...(typeof pageIndex === 'number' && { pageIndex: at }),
    ...(record.isCurrent === true && { isCurrent: at === 0 }),
    ...(typeof version === 'number' && !record.id && { version: version + RECORDS - at }),
  };
}

/** Values as ugly as they are in tables of people. */
const COLUMNS = [
  { name: `net_amount${TABLE}`, type: 'double', values: [9876543210987.5, -0.0000012, null, 1e-300] },
  {
    name: 'Kommentar der Kundin (nur intern!)',
    type: 'string',
    values: [`${WORD} <b>“quoted”</b>\nsecond line`, '', null, ' '],
  },
  {
    name: 'changed_at',
    type: 'timestamp',
    values: ['2026-01-05T00:00:00.000Z', '2026-12-31T23:59:59.123456Z', null, '1999-12-31T23:59:59.500Z'],
  },
  { name: 'id_of_customer', type: 'bigint', values: ['9223372036854775807', '-1', null, '0'] },
  {
    name: 'payload',
    type: 'string',
    values: [JSON.stringify({ deep: { list: [1, 2, 3], text: WORD } }), '{}', null, '[]'],
  },
];

function fillRecord(value: Json, schema: Json, place: Place): Json {
  const isNamed = ownIdOf(value) !== undefined || 'granteeId' in value || 'slug' in value;
  const entries = Object.entries<Json>(value).map(([key, member]) => {
    const declared = schema?.properties?.[key] ?? schema?.additionalProperties;
    return [key, fill(member, declared, { ...place, key, isNamed })];
  });
  const filled = Object.fromEntries(entries);
  if (Array.isArray(value.items) && value.items.length > 0 && typeof value.total === 'number')
    filled.total = filled.items.length;
  // Some records are below the first one.
  if (value.parentId === null && place.parents.size === 0 && place.index % 3 === 2) filled.parentId = value.id;
  const isTable = Array.isArray(value.rows?.[0]) && value.columns?.[0]?.name && value.columns?.[0]?.type;
  if (!isTable) return filled;
  const types = resolve(
    resolve(resolve(schema?.properties?.columns, value.columns)?.items, value.columns[0])?.properties?.type,
    '',
  )?.enum;
  const others = COLUMNS.map(({ name, type }) => ({
    ...value.columns[0],
    name,
    type: types?.includes(type) === false ? value.columns[0].type : type,
  }));
  const columns = [...value.columns, ...others];
  const rows = Array.from({ length: ROWS }, (_, at) => [
    ...value.rows[at % value.rows.length],
    ...COLUMNS.map(({ values }) => values[at % values.length]),
  ]);
  return { ...filled, columns, rows, ...('rowCount' in value && { rowCount: ROWS }) };
}

/** The schema of a value: that of several which its type and its constants fit. */
function resolve(schema: Json, value: Json): Json {
  if (schema?.$ref)
    return resolve(
      schema.$ref
        .slice(2)
        .split('/')
        .reduce((at: Json, name: string) => at[name], DOCUMENT),
      value,
    );
  const choices: Json[] | undefined = schema?.anyOf ?? schema?.oneOf;
  if (!choices) return schema;
  const resolved = choices.map((each) => resolve(each, value));
  if (resolved.every((each) => each?.const !== undefined)) return { enum: resolved.map((each) => each.const) };
  return resolved.find((each) => fits(each, value)) ?? resolved[0];
}

function fits(schema: Json, value: Json): boolean {
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const types = [schema?.type].flat();
  if (!types.includes(type) && !(types.includes('integer') && Number.isInteger(value))) return false;
  if (type !== 'object') return true;
  const members = Object.entries<Json>(schema.properties ?? {});
  return (
    members.every(([key, member]) => {
      const { const: only, enum: options } = resolve(member, value[key]) ?? {};
      return (
        value[key] === undefined ||
        ((only === undefined || only === value[key]) && (!options || options.includes(value[key])))
      );
    }) &&
    (schema.additionalProperties !== false || Object.keys(value).every((key) => key in (schema.properties ?? {})))
  );
}

function mayBeNull(schema: Json): boolean {
  if (schema?.$ref) return mayBeNull(resolve(schema, null));
  return (
    [schema?.type].flat().includes('null') ||
    (schema?.anyOf ?? schema?.oneOf ?? []).some((each: Json) => mayBeNull(each))
  );
}

/** The glossary as its file, in which each term but the first has a broader one. */
export function termsFile(terms: readonly Json[]): string {
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const rows = terms.map(({ id, name, status }, at) =>
    [id, name, status, at === 0 ? '' : terms[Math.floor((at - 1) / 3)].id].map(cell).join(','),
  );
  return ['id,name,status,broader', ...rows].join('\n');
}
