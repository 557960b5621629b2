import type { Signal } from '@preact/signals';
import { type Difference, differencesOf } from './differences.ts';
import { Field, SelectField } from './field.tsx';
import { type ScheduleFields as Fields, scheduleInWords, scheduleOf, WEEKDAYS } from './schedule.ts';

const KINDS = [
  ['off', 'Only manually'],
  ['hourly', 'Every hour'],
  ['daily', 'Every day'],
  ['weekdays', 'On weekdays'],
  ['weekly', 'Once a week'],
  ['monthly', 'Once a month'],
  ['custom', 'By cron expression'],
] as const;

const MAX_DAY = 28;

/** The zone of the browser. */
export const homeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** Where two schedules of forms differ. */
export const scheduleDifferences = (theirs: Fields, mine: Fields): Difference[] => {
  const [one, other] = [theirs, mine].map((fields) => ({ when: scheduleInWords(scheduleOf(fields)) }));
  return differencesOf(one!, other!, { when: 'Schedule' });
};

interface ScheduleFieldsProps {
  value: Signal<Fields>;
  /** Something has to happen by itself. */
  isRequired?: boolean;
  /** What is wrong with the expression. */
  issue?: string | undefined;
}

/** The fields of a schedule. */
export function ScheduleFields({ value, isRequired = false, issue }: ScheduleFieldsProps) {
  const fields = value.value;
  const set = (change: Partial<Fields>) => {
    value.value = { ...value.peek(), ...change };
  };
  const { kind } = fields;
  const zones = [...new Set([fields.timezone, homeZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])];
  return (
    <>
      <SelectField
        label="How often"
        value={kind}
        issue={kind === 'custom' ? undefined : issue}
        onChange={({ currentTarget }) => set({ kind: currentTarget.value as Fields['kind'] })}
      >
        {KINDS.filter(([key]) => key !== 'off' || !isRequired).map(([key, title]) => (
          <option key={key} value={key}>
            {title}
          </option>
        ))}
      </SelectField>
      {kind === 'weekly' && (
        <SelectField
          label="Day"
          value={String(fields.weekday)}
          onChange={({ currentTarget }) => set({ weekday: Number(currentTarget.value) })}
        >
          {WEEKDAYS.map((name, index) => (
            <option key={name} value={String(index)}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      {kind === 'monthly' && (
        <Field
          label="Day of the month"
          type="number"
          min={1}
          max={MAX_DAY}
          value={String(fields.day)}
          onInput={({ currentTarget }) => set({ day: Number(currentTarget.value) })}
        />
      )}
      {kind === 'custom' && (
        <Field
          label="Cron expression"
          hint="Minute, hour, day, month and weekday, such as “30 2 * * *”; or “every 900 seconds”."
          required
          issue={issue}
          value={fields.cron}
          onInput={({ currentTarget }) => set({ cron: currentTarget.value })}
        />
      )}
      {['daily', 'weekdays', 'weekly', 'monthly', 'hourly'].includes(kind) && (
        <Field
          label={kind === 'hourly' ? 'Minute of the hour (00:mm)' : 'Time'}
          type="time"
          required
          value={fields.time}
          onInput={({ currentTarget }) => set({ time: currentTarget.value })}
        />
      )}
      {kind !== 'off' && (
        <SelectField
          label="Time zone"
          value={fields.timezone}
          onChange={({ currentTarget }) => set({ timezone: currentTarget.value })}
        >
          {zones.map((zone) => (
            <option key={zone} value={zone}>
              {zone.replaceAll('_', ' ')}
            </option>
          ))}
        </SelectField>
      )}
    </>
  );
}
