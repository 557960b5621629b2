import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { api, type Types } from '../../data/client.ts';
import { formSchemas } from '../../data/form-schemas.ts';
import { issueOf, type Problem } from '../../data/problem.ts';
import { nameOfTable, type ScanSchedule, useNamedDataset } from '../../data/quality.ts';
import { Picker } from '../../shell/picker.tsx';
import { CheckField, SelectField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { withoutEmpty, withTitles } from '../../ui/json-schema.ts';
import { fieldsOf, type ScheduleFields as Schedule, scheduleOf } from '../../ui/schedule.ts';
import { homeZone, ScheduleFields } from '../../ui/schedule-fields.tsx';
import { type FormMember, otherIssues, SchemaForm } from '../../ui/schema-form.tsx';

export interface Draft {
  tableName: string;
  config: Record<string, unknown>;
  isActive: boolean;
}

export const EMPTY_DRAFT: Draft = { tableName: '', config: {}, isActive: true };

export const draftOf = (schedule: ScanSchedule): Draft => ({
  tableName: nameOfTable(schedule),
  config: schedule.config,
  isActive: schedule.scheduleEnabled,
});

export const scheduleFieldsOf = (schedule: ScanSchedule | undefined): Schedule =>
  schedule
    ? fieldsOf({ cron: schedule.cron, timezone: schedule.timezone }, homeZone())
    : { ...fieldsOf(null, homeZone()), kind: 'daily' };

/** The members that can be changed. Scans know no intervals: one that was typed is refused at its field. */
export function changeOf({ config, isActive }: Draft, schedule: Schedule): Types.UpdateDataQualityScanSchedule {
  const { cron = schedule.cron.trim() } = scheduleOf(schedule);
  return {
    config: withoutEmpty(config) as Types.UpdateDataQualityScanSchedule['config'] & object,
    cron,
    timezone: schedule.timezone,
    scheduleEnabled: isActive,
  };
}

const MAX_CHOICES = 20;

/** Datasets by their names, and what was typed if it can be a table of a data source. */
async function searchTables(search: string) {
  const { items } = await api.datasets.list({ limit: MAX_CHOICES, ...(search && { search }) });
  const isPlace = /^[^.]+\.[^.]+$/.test(search) && items.every(({ name }) => name !== search);
  return [
    ...items.map(({ id, name }) => ({ id, label: name })),
    ...(isPlace ? [{ id: 'typed', label: search, hint: 'a table of a data source' }] : []),
  ];
}

/** What the settings are called where their names do not say it. */
const TITLES: Readonly<Record<string, string>> = {
  sampleRows: 'Sample size in rows',
  topK: 'Frequent values',
  detect: 'Meanings',
  columnName: 'Date column',
  maxAgeMinutes: 'Stale after (minutes)',
};

/** Members of the settings that name columns. */
const NAMES_COLUMN = /^\/config\/(columns\/\d+|freshness\/columnName)$/;
const TABLE_CODES: readonly (string | undefined)[] = ['QUALITY_TABLE_NOT_FOUND', 'QUALITY_SCAN_SCHEDULE_EXISTS'];

interface ScanFieldsProps {
  draft: Signal<Draft>;
  schedule: Signal<Schedule>;
  /** The table of a schedule cannot be changed. */
  isNew: boolean;
  action: string;
  problem: Problem | undefined;
  isBusy: boolean;
  /** In the place of the buttons and the problem. */
  conflict?: ComponentChildren;
  submit: () => Promise<unknown>;
}

/** What is scanned and when. */
export function ScanFields({ draft, schedule, isNew, action, problem, isBusy, conflict, submit }: ScanFieldsProps) {
  const given = draft.value;
  const set = (change: Partial<Draft>) => {
    draft.value = { ...draft.peek(), ...change };
  };
  const columns = useNamedDataset(given.tableName).data?.columns.map(({ name }) => name);
  const config = formSchemas.UpdateDataQualityScanSchedule?.properties?.config;
  const issues = problem?.issues ?? [];
  const isOfTable = TABLE_CODES.includes(problem?.code);
  const others = otherIssues(issues, ['/config']).filter(({ pointer }) => !['/cron', '/tableName'].includes(pointer));
  const isShown = isOfTable || (issues.length > 0 && others.length === 0);
  return (
    <Form
      action={action}
      submit={submit}
      isBusy={isBusy}
      problem={problem && !isShown ? { ...problem, issues: others } : undefined}
      instead={conflict}
    >
      {isNew && (
        <Picker
          label="Table"
          of="scannable"
          name={given.tableName}
          hint="A dataset, or schema.table of a data source."
          issue={isOfTable ? problem?.sentence : issueOf(problem, 'tableName')}
          search={searchTables}
          choose={({ label }) => set({ tableName: label, config: {} })}
        />
      )}
      <ScheduleFields value={schedule} isRequired issue={issueOf(problem, 'cron')} />
      {config && (
        <SchemaForm
          schema={withTitles(config, TITLES)}
          at="/config"
          issues={issues}
          value={given.config}
          onChange={(next) => set({ config: next })}
          special={(member) =>
            columns && NAMES_COLUMN.test(member.at) ? <ColumnField {...member} columns={columns} /> : undefined
          }
        />
      )}
      <CheckField
        label="Active"
        hint="An inactive schedule starts no scans."
        checked={given.isActive}
        onChange={({ currentTarget }) => set({ isActive: currentTarget.checked })}
      />
    </Form>
  );
}

const ColumnField = ({
  label,
  hint,
  issue,
  value,
  isRequired,
  onChange,
  columns,
}: FormMember & { columns: string[] }) => (
  <SelectField
    label={label}
    {...(hint !== undefined && { hint })}
    issue={issue}
    required={isRequired}
    value={typeof value === 'string' ? value : ''}
    onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
  >
    <option value="" />
    {typeof value === 'string' && value !== '' && !columns.includes(value) && <option value={value}>{value}</option>}
    {columns.map((each) => (
      <option key={each} value={each}>
        {each}
      </option>
    ))}
  </SelectField>
);
