import type { ComponentChildren } from 'preact';
import { ApiError, api, type Types } from '../../data/client.ts';
import { hasSeveral, needsValue, OPERATORS } from '../../data/conditions.ts';
import { useQuery } from '../../data/query.ts';
import { type TransformSchema, transformSchemas } from '../../data/transform-schemas.ts';
import { CodeField } from '../../ui/code-field.tsx';
import { CheckField, Field, SelectField } from '../../ui/field.tsx';
import { controlOf, initialValue, type JsonSchema, withoutEmpty, withTitles } from '../../ui/json-schema.ts';
import { type FormMember, type Issues, SchemaForm } from '../../ui/schema-form.tsx';
import { settingsText } from '../../ui/settings-text.ts';
import { SuggestedField } from '../../ui/suggested-field.tsx';
import { typedValue, type Value, ValuesField } from '../../ui/values-field.tsx';
import { PartForm } from './part-form.tsx';

export type Step = Types.ModelTransform;
type StepType = Types.CreateModelTransform['type'];
type Config = Record<string, unknown>;

/** What the types of steps are called, and the schemas of their settings. */
const TYPES: Readonly<Record<StepType, readonly [label: string, schema: TransformSchema]>> = {
  filter_rows: ['Filter rows', 'FilterRowsConfig'],
  remove_columns: ['Remove columns', 'RemoveColumnsConfig'],
  rename_column: ['Rename a column', 'RenameColumnConfig'],
  change_type: ['Change a type', 'ChangeTypeConfig'],
  add_column: ['Add a column', 'AddColumnConfig'],
  replace_values: ['Replace values', 'ReplaceValuesConfig'],
  sort_rows: ['Sort rows', 'SortRowsConfig'],
  top_n: ['Keep the first rows', 'TopNConfig'],
  deduplicate: ['Remove duplicates', 'DeduplicateConfig'],
  group_aggregate: ['Group and aggregate', 'GroupAggregateConfig'],
};

export const typeText = (type: string): string => TYPES[type as StepType]?.[0] ?? type;

/** What the settings are called where their names do not say it. */
const TITLES: Readonly<Record<string, string>> = {
  match: 'Rows must meet',
  op: 'Comparison',
  n: 'Number of rows',
  by: 'Sort keys',
  orderBy: 'Sort keys',
  perGroup: 'Grouping columns',
  groupBy: 'Grouping columns',
  fn: 'Function',
  as: 'New name',
  onError: 'Values that cannot be converted',
};

function schemaOf(type: string): JsonSchema {
  const schema = withTitles(transformSchemas[TYPES[type as StepType]?.[1]] ?? {}, TITLES);
  const { conditions } = schema.properties ?? {};
  if (!conditions?.items) return schema;
  // What a column is compared with is asked for first, although some comparisons have nothing.
  const { items } = conditions;
  const asked = { ...conditions, items: { ...items, required: [...(items.required ?? []), 'value'] } };
  return { ...schema, properties: { ...schema.properties, conditions: asked } };
}

/** The settings in a line, such as `Column: status · To: state`. */
export const configText = (config: Config): string => settingsText(config, { titles: TITLES, values: OPERATORS });

interface Draft {
  type: string;
  config: Config;
  label: string;
  isEnabled: boolean;
  force: boolean;
}

const beginning = (type: string): Config => (initialValue(schemaOf(type)) ?? {}) as Config;

const draftOf = ({ type, config, label, isEnabled }: Step): Draft => ({ type, config, label, isEnabled, force: false });

const LABELS = {
  config: { label: 'Settings', write: configText },
  label: 'Label',
  isEnabled: 'Turned on',
};

interface TransformFormProps {
  modelId: string;
  tableId: string;
  step: Step | undefined;
  /** The id of the step before, whose columns this one receives; null for the columns of the source. */
  after: string | null;
  /** The ids of the other steps, which may no longer fit if this one is changed. */
  others: readonly string[];
  close: () => void;
}

/** A step that changes the rows of a table. */
export function TransformForm({ modelId, tableId, step, after, others, close }: TransformFormProps) {
  const columns =
    useQuery(['models', modelId, 'tables', tableId, 'columns', after], async () => {
      const preview = await api.models.previewTable(modelId, tableId, { afterStep: after, limit: 1 });
      return preview.columns;
    }).data ?? [];
  return (
    <PartForm<Step, Draft>
      modelId={modelId}
      noun="step"
      name={step ? step.label || typeText(step.type) : ''}
      part={step}
      draft={
        step
          ? draftOf(step)
          : { type: 'filter_rows', config: beginning('filter_rows'), label: '', isEnabled: true, force: false }
      }
      draftOf={draftOf}
      labels={LABELS}
      read={async () => {
        const { items } = await api.models.listTransforms(modelId, tableId);
        const found = items.find(({ id }) => id === step!.id);
        if (!found) throw new Error('The step no longer exists.');
        return found;
      }}
      save={async ({ type, config, label, isEnabled, force }, options) => {
        const body = { config: cleaned(config, columns), label: label.trim() };
        try {
          return await (step
            ? api.models.updateTransform(modelId, tableId, step.id, { ...body, isEnabled }, { force }, options)
            : api.models.createTransform(modelId, tableId, { ...body, type } as unknown as Types.CreateModelTransform, {
                force,
              }));
        } catch (error) {
          // The places of its issues are not in this form.
          if (error instanceof ApiError && others.includes(String(error.problem.stepId)))
            throw new Error(error.problem.detail);
          throw error;
        }
      }}
      remove={({ force }) => api.models.deleteTransform(modelId, tableId, step!.id, { force })}
      loses="The steps after it then get other rows or columns. This cannot be undone, except by restoring a version."
      close={close}
    >
      {({ draft, set, issue }) => (
        <>
          <SelectField
            label="What it does"
            hint={schemaOf(draft.type).description}
            disabled={step !== undefined}
            value={draft.type}
            onChange={({ currentTarget: { value } }) => set({ type: value, config: beginning(value) })}
          >
            {Object.entries(TYPES).map(([type, [label]]) => (
              <option key={type} value={type}>
                {label}
              </option>
            ))}
          </SelectField>
          <Settings
            key={draft.type}
            type={draft.type}
            config={draft.config}
            columns={columns}
            set={(config) => set({ config })}
            issues={issuesOf(draft, issue)}
          />
          <Field
            label="Label"
            maxLength={200}
            placeholder="what it is for"
            issue={issue('label')}
            value={draft.label}
            onInput={({ currentTarget: { value } }) => set({ label: value })}
          />
          {step && (
            <CheckField
              label="Turned on"
              checked={draft.isEnabled}
              onChange={({ currentTarget: { checked } }) => set({ isEnabled: checked })}
            />
          )}
          <CheckField
            label="Save it even if other objects break"
            hint="Measures and fields may need columns that the step removes."
            checked={draft.force}
            onChange={({ currentTarget: { checked } }) => set({ force: checked })}
          />
        </>
      )}
    </PartForm>
  );
}

type Columns = readonly { name: string; type: string }[];

interface SettingsProps {
  type: string;
  config: Config;
  columns: Columns;
  set(config: Config): void;
  issues: Issues;
}

/** The form of a type of step, which knows the columns that the step receives. */
const Settings = ({ type, config, columns, set, issues }: SettingsProps) => (
  <SchemaForm
    schema={schemaOf(type)}
    at="/config"
    issues={issues}
    value={config}
    onChange={set}
    special={(member) => fieldOf(member, type, config, columns)}
  />
);

/** The issues at the members that the settings have. */
function issuesOf({ type, config }: Draft, issue: (member: string) => string | undefined): Issues {
  const own = Object.keys(schemaOf(type).properties ?? {}).map((name) => `config/${name}`);
  const members = new Set([...own, ...pointersOf(config, 'config')].filter((member) => member !== 'config'));
  return [...members].flatMap((member) => {
    const message = issue(member);
    return message === undefined ? [] : [{ pointer: `/${member}`, message }];
  });
}

/** Members of conditions, orders, replacements and aggregations. */
const INNER = ['column', 'op', 'value', 'direction', 'nulls', 'from', 'to', 'fn', 'as'];

/** Where members of the settings are, also those that are missing within a list. */
function pointersOf(value: unknown, at: string): string[] {
  if (Array.isArray(value)) return [at, ...value.flatMap((each, index) => pointersOf(each, `${at}/${index}`))];
  if (typeof value !== 'object' || value === null) return [at];
  const names = new Set([...Object.keys(value), ...INNER]);
  return [at, ...[...names].flatMap((name) => pointersOf((value as Config)[name], `${at}/${name}`))];
}

const NAMES_COLUMN = /\/(column|(columns|keys|perGroup|groupBy)\/\d+)$/;
const REPLACES = /^\/config\/pairs\/\d+\/to$/;
const OF_CONDITION = /^\/config\/conditions\/(\d+)\/value$/;

/** Fields that know the columns, and the type of what values are compared with. */
function fieldOf(member: FormMember, type: string, config: Config, columns: Columns): ComponentChildren | undefined {
  const { at, value, onChange } = member;
  const common = { label: member.label, issue: member.issue, ...(member.hint && { hint: member.hint }) };
  const text = typeof value === 'string' ? value : '';
  if (NAMES_COLUMN.test(at) || (type === 'rename_column' && at === '/config/from')) {
    return (
      <SuggestedField
        {...common}
        required={member.isRequired}
        value={text}
        values={columns.map(({ name, type: dataType }) => [name, dataType])}
        onChange={(next) => onChange(next === '' ? undefined : next)}
      />
    );
  }
  if (REPLACES.test(at)) {
    return (
      <Field
        {...common}
        hint="Leave it empty to remove the text."
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  if (at === '/config/expression') {
    return <CodeField {...common} required rows={2} value={text} onChange={(next) => onChange(next)} />;
  }
  const control = controlOf(member.schema);
  if (at.endsWith('/op') && control.kind === 'choice') {
    return (
      <SelectField
        label={common.label}
        issue={common.issue}
        required
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
      >
        <option value="" />
        {control.values.map((each) => (
          <option key={String(each)} value={String(each)}>
            {OPERATORS[String(each)] ?? String(each)}
          </option>
        ))}
      </SelectField>
    );
  }
  const index = OF_CONDITION.exec(at)?.[1];
  if (index === undefined) return undefined;
  const { op = '', column } = conditionsOf(config)[Number(index)] ?? {};
  if (!needsValue(op)) return <></>;
  return (
    <ValuesField
      label={common.label}
      issue={common.issue}
      hasSeveral={hasSeveral(op)}
      dataType={columns.find(({ name }) => name === column)?.type}
      values={[value ?? []].flat() as Value[]}
      onChange={(values) => onChange(hasSeveral(op) ? values : values[0])}
    />
  );
}

type Condition = { column?: string; op?: string; value?: unknown };

const conditionsOf = ({ conditions }: Config): readonly Condition[] =>
  Array.isArray(conditions) ? (conditions as Condition[]) : [];

/** Without members that are empty, and with values only where the comparison takes them, in the type of the column. */
function cleaned(config: Config, columns: Columns): Config {
  const { pairs } = config;
  const filled = {
    ...(withoutEmpty(config) as Config),
    // A text can be replaced by nothing.
    ...(Array.isArray(pairs) && { pairs: pairs.map((each: Config) => ({ ...each, to: each.to ?? '' })) }),
  };
  const given = conditionsOf(config);
  if (given.length === 0) return filled;
  const typed = (value: unknown, column: string | undefined): unknown => {
    const dataType = columns.find(({ name }) => name === column)?.type;
    if (Array.isArray(value)) return value.map((each) => typed(each, column));
    return typeof value === 'string' ? typedValue(value, dataType) : value;
  };
  return {
    ...filled,
    conditions: given.map(({ value, ...condition }) =>
      needsValue(condition.op ?? '') && value !== undefined
        ? { ...condition, value: typed(value, condition.column) }
        : condition,
    ),
  };
}
