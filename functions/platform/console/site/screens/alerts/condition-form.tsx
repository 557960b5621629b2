import {
  type Condition,
  type FieldCondition,
  KIND_WORDS,
  REDUCERS,
  useModelOf,
  useSubject,
} from '../../data/alerts.ts';
import { api, type Types } from '../../data/client.ts';
import { formSchemas } from '../../data/form-schemas.ts';
import { useQuery } from '../../data/query.ts';
import { Conditions } from '../../shell/conditions.tsx';
import { FieldChoice } from '../../shell/field-choice.tsx';
import { Picker } from '../../shell/picker.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { type Issues, SchemaForm } from '../../ui/schema-form.tsx';
import { Recovery } from './recovery.tsx';
import { Threshold } from './threshold.tsx';

interface ConditionFormProps {
  value: Condition;
  onChange(condition: Condition): void;
  /** Of the whole request. */
  issues: Issues;
}

/** The sources that can be chosen here; alerts on others are made where they are, and shown. */
const SOURCES = ['dataset', 'savedQuery', 'model'] as const;
/** They have fields of their own above. */
const OWN = ['kind', 'metricId', 'column', 'reduce', 'operator', 'compare'];
const MAX_CHOICES = 20;

const searches = {
  metric: (search: string) => api.metrics.list({ limit: MAX_CHOICES, ...(search && { search }) }),
  dataset: (search: string) => api.datasets.list({ limit: MAX_CHOICES, ...(search && { search }) }),
  savedQuery: (search: string) => api.savedQueries.list({ limit: MAX_CHOICES, ...(search && { search }) }),
  model: (search: string) => api.models.list({ limit: MAX_CHOICES, ...(search && { search }) }),
} as const;

const LABELS: Readonly<Record<keyof typeof searches, string>> = {
  metric: 'Metric',
  dataset: 'Dataset',
  savedQuery: 'Saved query',
  model: 'Model',
};

export const EMPTY_CONDITION: FieldCondition = {
  kind: 'field',
  source: { kind: 'dataset', id: '' },
  column: '',
  reduce: 'max',
  operator: 'gt',
  threshold: 0,
};

export const conditionOfMetric = (metricId: string): Condition => ({
  kind: 'metric',
  metricId,
  operator: 'gt',
  threshold: 0,
});

/** What an alert watches, and when it fires. */
export function ConditionForm({ value, onChange, issues }: ConditionFormProps) {
  const set = (change: object) => onChange({ ...value, ...change } as Condition);
  const issueAt = (pointer: string) => issues.find((each) => each.pointer === `/condition${pointer}`)?.message;
  const name = useSubject(value) ?? '';
  const kind = value.kind === 'metric' ? 'metric' : (value.source.kind as keyof typeof searches);
  const isKnown = kind in searches;
  const chooseKind = (next: string) =>
    onChange(next === 'metric' ? conditionOfMetric('') : { ...EMPTY_CONDITION, source: { kind: next, id: '' } });
  const { modelId, tables } = useModelOf(value);
  const schema = formSchemas[value.kind === 'metric' ? 'AlertMetricCondition' : 'AlertFieldCondition'];
  return (
    <>
      <SelectField label="What to watch" value={kind} onChange={({ currentTarget }) => chooseKind(currentTarget.value)}>
        <option value="metric">a metric</option>
        {SOURCES.map((each) => (
          <option key={each} value={each}>
            {KIND_WORDS[each]}
          </option>
        ))}
        {!isKnown && <option value={kind}>{KIND_WORDS[kind] ?? kind}</option>}
      </SelectField>
      {isKnown && (
        <Picker
          key={kind}
          label={LABELS[kind]}
          of={kind}
          name={name}
          issue={issueAt('/metricId') ?? issueAt('/source/id') ?? issueAt('/source')}
          search={async (text) => (await searches[kind](text)).items.map(({ id, name: label }) => ({ id, label }))}
          choose={({ id }) =>
            set(
              value.kind === 'metric'
                ? { metricId: id, filters: [], by: undefined }
                : { source: { ...value.source, id } },
            )
          }
        />
      )}
      {value.kind === 'field' && <Reduced value={value} set={set} issueAt={issueAt} />}
      {value.kind === 'metric' && modelId !== '' && (
        <Conditions
          modelId={modelId}
          value={(value.filters ?? []) as readonly Types.QuestionConditionInput[]}
          onChange={(filters) => set({ filters })}
          issues={issues}
          at="/condition/filters"
        />
      )}
      <Threshold value={value} onChange={set} isMetric={value.kind === 'metric'} issueAt={issueAt} />
      <Recovery value={value.recover} onChange={(recover) => set({ recover })} issueAt={issueAt} />
      {schema && (
        <SchemaForm
          key={value.kind}
          schema={schema}
          at="/condition"
          omit={OWN}
          issues={issues}
          value={value as unknown as Record<string, unknown>}
          onChange={(next) => onChange(next as unknown as Condition)}
          special={({ at, label, issue, value: by, onChange: choose }) =>
            at === '/condition/by/column' && value.kind === 'metric' ? (
              <FieldChoice
                label={label}
                tables={tables}
                none="none: one value for all rows"
                issue={issue}
                value={typeof by === 'string' ? by : ''}
                choose={(id) => choose(id || undefined)}
              />
            ) : undefined
          }
        />
      )}
    </>
  );
}

interface ReducedProps {
  value: FieldCondition;
  set: (change: object) => void;
  issueAt: (pointer: string) => string | undefined;
}

/** The column, and how its rows become one value. */
function Reduced({ value: { source, column, reduce }, set, issueAt }: ReducedProps) {
  const columns = useQuery(
    ['alerts', 'columns', source.kind, source.id],
    async () => (await api.datasets.get(source.id)).columns.map(({ name }) => name),
    { enabled: source.kind === 'dataset' && source.id !== '' },
  ).data;
  return (
    <div class="threshold">
      <SelectField
        label="Value"
        value={reduce}
        issue={issueAt('/reduce')}
        onChange={({ currentTarget }) => set({ reduce: currentTarget.value })}
      >
        {Object.entries(REDUCERS).map(([key, label]) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </SelectField>
      {columns ? (
        <SelectField
          label="of the column"
          required
          value={column}
          issue={issueAt('/column')}
          onChange={({ currentTarget }) => set({ column: currentTarget.value })}
        >
          {!columns.includes(column) && <option value={column}>{column}</option>}
          {columns.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </SelectField>
      ) : (
        <Field
          label="of the column"
          required
          maxLength={255}
          issue={issueAt('/column')}
          value={column}
          onInput={({ currentTarget }) => set({ column: currentTarget.value })}
        />
      )}
    </div>
  );
}
