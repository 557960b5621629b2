import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { api, type Types } from '../../data/client.ts';
import type { Problem } from '../../data/problem.ts';
import {
  configSchemas,
  nameOfTable,
  SEVERITIES,
  type Test,
  useNamedDataset,
  WITHOUT_COLUMN,
  wordsOf,
} from '../../data/quality.ts';
import { Picker } from '../../shell/picker.tsx';
import { CheckField, Field, SelectField } from '../../ui/field.tsx';
import { initialValue, withoutEmpty } from '../../ui/json-schema.ts';
import { fieldsOf, type ScheduleFields as Schedule, scheduleOf } from '../../ui/schedule.ts';
import { homeZone, ScheduleFields } from '../../ui/schedule-fields.tsx';
import { otherIssues, SchemaForm } from '../../ui/schema-form.tsx';
import { Issue } from '../../ui/states.tsx';

export interface Draft {
  name: string;
  testType: string;
  tableName: string;
  columnName: string;
  config: Record<string, unknown>;
  severity: string;
  runOnSync: boolean;
  isActive: boolean;
}

export const EMPTY_DRAFT: Draft = {
  name: '',
  testType: 'not_null',
  tableName: '',
  columnName: '',
  config: {},
  severity: 'medium',
  runOnSync: true,
  isActive: true,
};

export const draftOf = (test: Test): Draft => ({
  name: test.name,
  testType: test.testType,
  tableName: nameOfTable(test),
  columnName: test.columnName ?? '',
  config: test.config,
  severity: test.severity,
  runOnSync: test.runOnSync,
  isActive: test.isActive,
});

export const scheduleFieldsOf = (test: Test | undefined): Schedule =>
  fieldsOf(test?.scheduleEnabled && test.cron ? { cron: test.cron, timezone: test.timezone } : null, homeZone());

/** The request. A test of a field of a model keeps its place. */
export function bodyOf(draft: Draft, schedule: Schedule, base?: Test): Types.CreateDataQualityTest {
  const { tableName, columnName, config, name, ...others } = draft;
  const { cron, timezone } = scheduleOf(schedule);
  const isField = base?.targetType === 'model_field';
  const isSame = base !== undefined && draftOf(base).tableName === tableName;
  return {
    ...others,
    name: name.trim(),
    targetType: base?.targetType ?? 'source_table',
    ...(!isField && !isSame && { tableName }),
    ...(!isField && !WITHOUT_COLUMN.includes(draft.testType) && columnName !== '' && { columnName }),
    config: withoutEmpty(config),
    scheduleEnabled: cron !== undefined,
    ...(cron !== undefined && { cron, timezone }),
  } as Types.CreateDataQualityTest;
}

const MAX_CHOICES = 20;

async function searchTables(search: string) {
  const { items } = await api.datasets.list({ limit: MAX_CHOICES, ...(search && { search }) });
  return items.map(({ id, name }) => ({ id, label: name }));
}

interface TestFieldsProps {
  draft: Signal<Draft>;
  schedule: Signal<Schedule>;
  base?: Test;
  problem: Problem | undefined;
  children: ComponentChildren;
  /** In the place of the buttons and the problem. */
  conflict?: ComponentChildren;
  submit: () => Promise<unknown>;
}

/** What a test checks, where and when. */
export function TestFields({ draft, schedule, base, problem, children, conflict, submit }: TestFieldsProps) {
  const given = draft.value;
  const set = (change: Partial<Draft>) => {
    draft.value = { ...draft.peek(), ...change };
  };
  const issues = problem?.issues ?? [];
  const issueAt = (pointer: string) => issues.find((each) => each.pointer === pointer)?.message;
  const schemas = configSchemas();
  const config = schemas.get(given.testType);
  const { data: dataset, isLoading } = useNamedDataset(given.tableName);
  // A field that becomes a choice would lose what is typed into it.
  const columns = isLoading ? [] : dataset?.columns.map(({ name }) => name);
  const isField = base?.targetType === 'model_field';
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {isField ? (
        <p class="hint">This test is about a field of a model, which stays as it is.</p>
      ) : (
        <Picker
          label="Table"
          of="datasets"
          name={given.tableName}
          hint="A dataset."
          issue={issueAt('/tableName')}
          search={searchTables}
          choose={({ label }) => set({ tableName: label, columnName: '' })}
        />
      )}
      <SelectField
        label="Type"
        value={given.testType}
        issue={issueAt('/testType')}
        onChange={({ currentTarget: { value } }) =>
          set({ testType: value, config: (initialValue(schemas.get(value) ?? {}) ?? {}) as Record<string, unknown> })
        }
      >
        {[...schemas.keys()].map((type) => (
          <option key={type} value={type}>
            {wordsOf(type)}
          </option>
        ))}
      </SelectField>
      {!isField && !WITHOUT_COLUMN.includes(given.testType) && (
        <ColumnField
          value={given.columnName}
          columns={columns}
          issue={issueAt('/columnName')}
          isRequired={given.testType !== 'unique'}
          onChange={(columnName) => set({ columnName })}
        />
      )}
      {config && (
        <SchemaForm
          key={given.testType}
          schema={config}
          at="/config"
          issues={issues}
          value={given.config}
          onChange={(next) => set({ config: next })}
        />
      )}
      <Field
        label="Name"
        required
        maxLength={200}
        hint="What the issue is called if it fails."
        issue={issueAt('/name')}
        value={given.name}
        onInput={({ currentTarget }) => set({ name: currentTarget.value })}
      />
      <SelectField
        label="Severity"
        value={given.severity}
        onChange={({ currentTarget }) => set({ severity: currentTarget.value })}
      >
        {SEVERITIES.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </SelectField>
      <CheckField
        label="Run after new data"
        checked={given.runOnSync}
        onChange={({ currentTarget }) => set({ runOnSync: currentTarget.checked })}
      />
      <ScheduleFields value={schedule} />
      <CheckField
        label="Active"
        hint="An inactive test runs only on request."
        checked={given.isActive}
        onChange={({ currentTarget }) => set({ isActive: currentTarget.checked })}
      />
      {conflict ?? (
        <>
          <div class="actions">{children}</div>
          <Issue
            problem={
              problem && {
                ...problem,
                issues: otherIssues(issues, ['/config']).filter(
                  ({ pointer }) => !['/name', '/tableName', '/columnName', '/testType'].includes(pointer),
                ),
              }
            }
          />
        </>
      )}
    </form>
  );
}

interface ColumnFieldProps {
  value: string;
  columns: readonly string[] | undefined;
  issue: string | undefined;
  isRequired: boolean;
  onChange(name: string): void;
}

/** A choice if the columns are known. */
const ColumnField = ({ value, columns, issue, isRequired, onChange }: ColumnFieldProps) =>
  columns ? (
    <SelectField
      label="Column"
      required={isRequired}
      issue={issue}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      <option value="">{isRequired ? '' : 'as the settings say'}</option>
      {value !== '' && !columns.includes(value) && <option value={value}>{value}</option>}
      {columns.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </SelectField>
  ) : (
    <Field
      label="Column"
      required={isRequired}
      issue={issue}
      value={value}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
