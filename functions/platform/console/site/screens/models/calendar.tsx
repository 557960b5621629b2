import { useSignal } from '@preact/signals';
import { api, type Types } from '../../data/client.ts';
import type { Model } from '../../data/models.ts';
import { issueOf } from '../../data/problem.ts';
import { refreshQueries } from '../../data/query.ts';
import { useEdit } from '../../data/versioned.ts';
import { RecordForm } from '../../shell/record-form.tsx';
import { differencesOf } from '../../ui/differences.ts';
import { CheckField, SelectField } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import type { PartProps } from './part-props.ts';
import { updateMember } from './update-member.ts';

type Calendar = Types.FiscalCalendar;

const MONTHS = Array.from({ length: 12 }, (_each, index) =>
  new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(new Date(Date.UTC(2000, index))),
);
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const PATTERNS = ['4-4-5', '4-5-4', '5-4-4'];
const YEAR_NAMES = { end: 'the year in which it ends', start: 'the year in which it starts' } as const;
const YEAR_STARTS = {
  nearest: 'nearest to the first of the month',
  last: 'on or before the first of the month',
} as const;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

interface Draft {
  firstMonth: string;
  yearName: string;
  /** Empty for years of months. */
  pattern: string;
  firstDay: string;
  yearStart: string;
}

const draftOf = ({ calendar }: { calendar: Calendar | null }): Draft => ({
  firstMonth: String(calendar?.firstMonth ?? 1),
  yearName: calendar?.yearName ?? 'end',
  pattern: calendar?.weeks?.pattern ?? '',
  firstDay: calendar?.weeks?.firstDay ?? 'monday',
  yearStart: calendar?.weeks?.yearStart ?? 'nearest',
});

/** Null for years that begin in January, which is what models have without a calendar. */
function calendarOf({ firstMonth, yearName, pattern, firstDay, yearStart }: Draft): Calendar | null {
  if (firstMonth === '1' && pattern === '') return null;
  return {
    firstMonth: Number(firstMonth),
    yearName,
    ...(pattern !== '' && { weeks: { pattern, firstDay, yearStart } }),
  } as Calendar;
}

function inWords(draft: Draft): string {
  const calendar = calendarOf(draft);
  if (calendar === null) return 'Fiscal years are calendar years.';
  const month = MONTHS[calendar.firstMonth - 1]!;
  const name = `A year is named after ${YEAR_NAMES[calendar.yearName ?? 'end']}.`;
  if (!calendar.weeks) return `Fiscal years begin on the first of ${month}. ${name}`;
  const { pattern, firstDay = 'monday', yearStart = 'nearest' } = calendar.weeks;
  return `Fiscal years begin in or near ${month}, on the ${capital(firstDay)} ${YEAR_STARTS[yearStart]}. They have 52 or 53 whole weeks, and quarters of ${pattern} weeks. ${name}`;
}

const LABELS = {
  firstMonth: { label: 'The year begins in', write: (month: string) => MONTHS[Number(month) - 1]! },
  yearName: { label: 'The year is named after', write: (name: keyof typeof YEAR_NAMES) => YEAR_NAMES[name] },
  pattern: { label: 'Years of whole weeks', write: (pattern: string) => pattern || 'no' },
  firstDay: 'A week begins on',
  yearStart: 'The year begins on the first day of the week',
};

/** How the fiscal years of the model begin. */
export function CalendarSettings({ model, canEdit }: PartProps) {
  return (
    <Section title="Fiscal calendar">
      <p class="hint">
        Questions, charts and date filters use the fiscal weeks, periods, quarters and years of this calendar.
      </p>
      {canEdit ? <Edit model={model} /> : <p>{inWords(draftOf(model))}</p>}
    </Section>
  );
}

function Edit({ model }: { model: Model }) {
  const { id } = model;
  const draft = useSignal(draftOf(model));
  // What the form began with, however the model is refreshed below it.
  const was = useSignal(model.calendar);
  const set = (change: Partial<Draft>) => {
    draft.value = { ...draft.peek(), ...change };
  };
  const edit = useEdit(
    model,
    async () => api.models.get(id),
    async (ifMatch) => {
      const saved = await updateMember(id, {
        ifMatch,
        partOf: ({ calendar }) => calendar,
        was: was.peek(),
        bodyOf: () => ({ calendar: calendarOf(draft.peek()) }),
      });
      was.value = saved.calendar;
      await refreshQueries(['models']);
      toast('The calendar is saved.');
      return saved;
    },
  );
  const { problem } = edit;
  const { firstMonth, yearName, pattern, firstDay, yearStart } = draft.value;
  const isJanuary = firstMonth === '1' && pattern === '';
  return (
    <RecordForm
      action="Save"
      saving={edit}
      fields={['calendar/firstMonth', 'calendar/yearName', 'calendar/weeks/']}
      differences={(theirs) => differencesOf(draftOf(theirs), draft.value, LABELS)}
      take={(theirs) => {
        draft.value = draftOf(theirs);
        void refreshQueries(['models']);
      }}
    >
      <SelectField
        label="The year begins in"
        issue={issueOf(problem, 'calendar/firstMonth')}
        value={firstMonth}
        onChange={({ currentTarget: { value } }) => set({ firstMonth: value })}
      >
        {MONTHS.map((name, index) => (
          <option key={name} value={String(index + 1)}>
            {name}
          </option>
        ))}
      </SelectField>
      {!isJanuary && (
        <SelectField
          label="The year is named after"
          issue={issueOf(problem, 'calendar/yearName')}
          value={yearName}
          onChange={({ currentTarget: { value } }) => set({ yearName: value })}
        >
          {Object.entries(YEAR_NAMES).map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </SelectField>
      )}
      <CheckField
        label="Years of whole weeks"
        hint="52 or 53 weeks, as is usual in retail."
        checked={pattern !== ''}
        onChange={({ currentTarget: { checked } }) => set({ pattern: checked ? '4-4-5' : '' })}
      />
      {pattern !== '' && (
        <>
          <SelectField
            label="Weeks in the periods of a quarter"
            issue={issueOf(problem, 'calendar/weeks/pattern')}
            value={pattern}
            onChange={({ currentTarget: { value } }) => set({ pattern: value })}
          >
            {PATTERNS.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </SelectField>
          <SelectField
            label="A week begins on"
            issue={issueOf(problem, 'calendar/weeks/firstDay')}
            value={firstDay}
            onChange={({ currentTarget: { value } }) => set({ firstDay: value })}
          >
            {DAYS.map((day) => (
              <option key={day} value={day}>
                {capital(day)}
              </option>
            ))}
          </SelectField>
          <SelectField
            label="The year begins on the first day of the week"
            issue={issueOf(problem, 'calendar/weeks/yearStart')}
            value={yearStart}
            onChange={({ currentTarget: { value } }) => set({ yearStart: value })}
          >
            {Object.entries(YEAR_STARTS).map(([key, text]) => (
              <option key={key} value={key}>
                {text}
              </option>
            ))}
          </SelectField>
        </>
      )}
      <p role="status">{inWords(draft.value)}</p>
    </RecordForm>
  );
}
