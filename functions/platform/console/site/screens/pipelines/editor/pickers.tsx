import type { ComponentChildren } from 'preact';
import { api } from '../../../data/client.ts';
import { issueOfChoices } from '../../../data/problem.ts';
import { useQuery } from '../../../data/query.ts';
import { SOURCE_TYPES, useTables } from '../../../data/sources.ts';
import { CodeField } from '../../../ui/code-field.tsx';
import { Field, SelectField } from '../../../ui/field.tsx';
import { counted } from '../../../ui/format.ts';
import type { FormMember } from '../../../ui/schema-form.tsx';
import { SuggestedField } from '../../../ui/suggested-field.tsx';
import type { KnownColumn } from './columns.ts';
import type { DraftStep } from './draft.ts';
import { kindOf } from './kinds.ts';

interface Known {
  step: DraftStep;
  /** The columns of what the step reads. */
  columns: readonly KnownColumn[];
}

const CODE = new Set(['sql', 'query', 'code', 'condition', 'filter', 'expression', 'where']);
const COLUMN = new Set(['column', 'cursorColumn', 'deleteColumn', 'refColumn']);
const COLUMN_OF_LIST = /\/(columns|mergeKey|primaryKey|partitionBy|groupBy|keys|acceptNullColumns)\/\d+$/;

/** Which members of a step have a field that knows their values. */
export const pickerOf =
  ({ step, columns }: Known) =>
  (member: FormMember): ComponentChildren | undefined => {
    const { name, at } = member;
    if (CODE.has(name)) return <Code member={member} />;
    if (COLUMN.has(name) || COLUMN_OF_LIST.test(at))
      return <Suggested member={member} values={columns.map((column) => [column.name, column.type])} />;
    if (name === 'sourceId') return <SourcePicker member={member} types={sourceTypesOf(step)} />;
    if (name === 'input') return <InputPicker member={member} step={step} />;
    if (at === '/config/object/dataset') return <DatasetPicker member={member} />;
    if (isNamedDataset(member)) return <TargetPicker member={member} />;
    if (at === '/config/object/stream') return <StreamPicker member={member} sourceId={step.config.sourceId} />;
    if (at === '/config/object/table' || at === '/config/object/path')
      return <TablePicker member={member} config={step.config} />;
    if (isScalar(member)) return <ScalarField member={member} />;
    return undefined;
  };

/** A value of any plain type. */
const isScalar = ({ name, schema }: FormMember): boolean =>
  name === 'initialValue' || name === 'value' || (name === 'default' && schema.type === undefined);

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

/** What all fields of a member have. */
const common = ({ label, hint, issue, isRequired }: FormMember) => ({
  label,
  issue,
  required: isRequired,
  ...(hint && { hint }),
});

function Code({ member }: { member: FormMember }) {
  const isShort = !['sql', 'query', 'code'].includes(member.name);
  return (
    <CodeField
      {...common(member)}
      rows={isShort ? 1 : 6}
      value={textOf(member.value)}
      onChange={(value) => member.onChange(value === '' && !member.isRequired ? undefined : value)}
    />
  );
}

/** A member whose values are known, and that takes any. */
const Suggested = ({ member, values }: { member: FormMember; values: readonly (readonly [string, string])[] }) => (
  <SuggestedField
    {...common(member)}
    value={textOf(member.value)}
    values={values}
    onChange={(value) => member.onChange(value === '' && !member.isRequired ? undefined : value)}
  />
);

/** The types of sources that a step can read from or write to. */
function sourceTypesOf(step: DraftStep): readonly string[] {
  switch (kindOf(step)?.id) {
    case 'table':
      return ['postgres', 'mysql', 'http'];
    case 'query':
      return ['postgres', 'mysql'];
    case 'file':
      return ['file', 's3'];
    case 'to-files':
      return ['s3'];
    default:
      return ['postgres'];
  }
}

const MAX_SOURCES = 200;

function SourcePicker({ member, types }: { member: FormMember; types: readonly string[] }) {
  const { data, error } = useQuery(['sources', 'for-steps'], () =>
    api.dataSources.list({ limit: MAX_SOURCES, sort: 'name' }),
  );
  const fitting = data?.items.filter(({ type }) => types.includes(type)) ?? [];
  const value = textOf(member.value);
  const isKnown = value === '' || fitting.some(({ id }) => id === value);
  return (
    <SelectField
      {...common({ ...member, label: 'Source', issue: member.issue ?? issueOfChoices(error) })}
      hint={data && fitting.length === 0 ? `There is no source of this type yet: ${namesOf(types)}.` : undefined}
      value={value}
      onChange={({ currentTarget }) => member.onChange(currentTarget.value || undefined)}
    >
      <option value="" />
      {!isKnown && <option value={value}>{data ? `unknown: ${value}` : value}</option>}
      {fitting.map(({ id, name, type }) => (
        <option key={id} value={id}>
          {name} ({SOURCE_TYPES[type]})
        </option>
      ))}
    </SelectField>
  );
}

const namesOf = (types: readonly string[]): string => types.map((type) => SOURCE_TYPES[type]).join(', ');

function InputPicker({ member, step: { dependsOn = [] } }: { member: FormMember; step: DraftStep }) {
  if (dependsOn.length < 2 && member.value === undefined) return null;
  const value = textOf(member.value);
  return (
    <SelectField
      {...common(member)}
      value={value}
      onChange={({ currentTarget }) => member.onChange(currentTarget.value || undefined)}
    >
      <option value="">the only one with rows</option>
      {[...new Set([...dependsOn, ...(value ? [value] : [])])].map((id) => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </SelectField>
  );
}

const MAX_NAMES = 50;

function DatasetPicker({ member }: { member: FormMember }) {
  const search = textOf(member.value);
  const { data } = useQuery(
    ['datasets', 'named', search],
    () => api.datasets.list({ limit: MAX_NAMES, sort: 'name', ...(search && { search }) }),
    { keepsLast: true },
  );
  const values = data?.items.map(({ name, rowCount }) => [name, counted(rowCount, 'row')] as const) ?? [];
  return <Suggested member={member} values={values} />;
}

interface DatasetTarget {
  kind: string;
  name?: string;
  datasetId?: string;
}

/** A target that is a dataset by its name. One by its id has the usual fields. */
const isNamedDataset = ({ at, value }: FormMember): boolean => {
  const { kind, datasetId } = (value ?? {}) as Partial<DatasetTarget>;
  return at === '/config/target' && kind === 'dataset' && datasetId === undefined;
};

function TargetPicker({ member }: { member: FormMember }) {
  const target = member.value as DatasetTarget;
  const name: FormMember = {
    ...member,
    label: 'Dataset',
    hint: 'It is created by the first run, if it does not exist.',
    isRequired: true,
    value: target.name,
    onChange: (next) => member.onChange({ ...target, name: next }),
  };
  return <DatasetPicker member={name} />;
}

function StreamPicker({ member, sourceId }: { member: FormMember; sourceId: unknown }) {
  const { data } = useQuery(
    ['streams', 'of', sourceId],
    () => api.cdcStreams.list({ limit: MAX_NAMES, sourceId: String(sourceId) }),
    { enabled: typeof sourceId === 'string' && sourceId !== '' },
  );
  const values = data?.items.map(({ streamId, tables }) => [streamId, counted(tables.length, 'table')] as const) ?? [];
  return <Suggested member={member} values={values} />;
}

/** Tables of the chosen schema, or files, whose names begin with what was typed. */
function TablePicker({ member, config }: { member: FormMember; config: Record<string, unknown> }) {
  const sourceId = textOf(config.sourceId);
  const { schema } = config.object as { schema?: string };
  const prefix = textOf(member.value);
  const tables = useTables(sourceId, schema || undefined, prefix, sourceId !== '');
  const values = (tables.items ?? []).slice(0, MAX_NAMES).map(({ name }) => [name, ''] as const);
  return <Suggested member={member} values={values} />;
}

/** A text, or a number or a boolean if it is written like one. Quotes make it a text. */
function ScalarField({ member }: { member: FormMember }) {
  const { value } = member;
  const isPlain = typeof value === 'string' && parsed(value) === value;
  return (
    <Field
      {...common(member)}
      autocomplete="off"
      defaultValue={value === undefined ? '' : isPlain ? value : JSON.stringify(value)}
      onChange={({ currentTarget }) => member.onChange(parsed(currentTarget.value))}
    />
  );
}

function parsed(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
