import type { Signal } from '@preact/signals';
import { type Card, parsed } from '../../data/boards.ts';
import type { SourceColumn } from '../../data/chart-form.ts';
import { columnsOf } from '../../data/chart-sources.ts';
import type { Types } from '../../data/client.ts';
import { issueOf, type Problem } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import { Field, SelectField } from '../../ui/field.tsx';

type Body = Types.CreateDashboardFilter;
type FilterType = Body['filterType'];

export const FILTER_TYPES: Readonly<Record<FilterType, string>> = {
  multi_select: 'Several values',
  select: 'One value',
  text: 'Text it contains',
  relative_date: 'Period, such as the last 30 days',
  date_range: 'From a day to a day',
  number_range: 'From a number to a number',
  boolean: 'Yes or no',
};

const USUAL: Readonly<Record<SourceColumn['kind'], FilterType>> = {
  time: 'relative_date',
  number: 'number_range',
  other: 'multi_select',
};

const PERIODS = [
  ['', 'Any time'],
  ['{"op":"last_n","n":7,"unit":"day"}', 'Last 7 days'],
  ['{"op":"last_n","n":30,"unit":"day"}', 'Last 30 days'],
  ['{"op":"last_n","n":12,"unit":"month"}', 'Last 12 months'],
  ['{"op":"this","unit":"month"}', 'This month'],
  ['{"op":"prev","unit":"month"}', 'Previous month'],
  ['{"op":"this","unit":"year"}', 'This year'],
] as const;

interface FilterField {
  id: string;
  label: string;
  kind: SourceColumn['kind'];
}

const sourcesOf = (cards: readonly Card[]): Types.ChartSource[] => {
  const all = cards.flatMap(({ chartSpec, savedQueryId }) =>
    chartSpec ? [chartSpec.query.source] : savedQueryId ? [{ kind: 'savedQuery' as const, id: savedQueryId }] : [],
  );
  return [...new Map(all.map((source) => [JSON.stringify(source), source])).values()];
};

/** The fields of what the cards show. A source that cannot be read has none. */
export function useFilterFields(cards: readonly Card[]): readonly FilterField[] {
  const sources = sourcesOf(cards);
  const { data } = useQuery(['chart-sources', 'fields', sources], async () => {
    const found = await Promise.all(sources.map((source) => columnsOf(source).catch(() => [])));
    const fields = found.flat().filter(({ isMeasure }) => !isMeasure);
    const pairs = fields.map(({ dimension, label, kind }): [string, FilterField] => {
      const id = dimension.fieldId ?? dimension.column ?? '';
      return [id, { id, label, kind }];
    });
    return [...new Map(pairs).values()];
  });
  return data ?? [];
}

interface FilterFormProps {
  cards: readonly Card[];
  body: Signal<Body>;
  problem: Problem | undefined;
}

/** The fields of a filter. */
export function FilterForm({ cards, body, problem }: FilterFormProps) {
  const fields = useFilterFields(cards);
  const { fieldId, filterType, label = '', linkedCardIds = [] } = body.value;
  const set = (change: Partial<Body>) => {
    body.value = { ...body.peek(), ...change };
  };
  const setType = (next: FilterType) => {
    const { defaultValue: _former, ...others } = body.peek();
    body.value = { ...others, filterType: next };
  };
  const withRows = cards.filter(({ chartSpec, savedQueryId }) => chartSpec !== null || savedQueryId !== null);
  return (
    <>
      <SelectField
        label="Field"
        required
        issue={issueOf(problem, 'fieldId')}
        value={fieldId}
        onChange={({ currentTarget: { value } }) => {
          const field = fields.find(({ id }) => id === value);
          if (field) setType(USUAL[field.kind]);
          set({ fieldId: value, ...(label === '' && field && { label: field.label }) });
        }}
      >
        <option value="">Choose a field of the cards</option>
        {fieldId !== '' && !fields.some(({ id }) => id === fieldId) && <option value={fieldId}>{fieldId}</option>}
        {fields.map(({ id, label: name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <Field
        label="Label"
        maxLength={200}
        value={label}
        onInput={({ currentTarget }) => set({ label: currentTarget.value })}
      />
      <SelectField
        label="Readers choose"
        value={filterType}
        onChange={({ currentTarget }) => setType(currentTarget.value as FilterType)}
      >
        {Object.entries(FILTER_TYPES).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </SelectField>
      <Default body={body} issue={issueOf(problem, 'defaultValue')} />
      <fieldset class="linked">
        <legend>Applies to</legend>
        <p class="hint">Without a choice, to every card whose source has the field.</p>
        {withRows.map(({ id, title }) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={linkedCardIds.includes(id)}
              onChange={({ currentTarget: { checked } }) =>
                set({ linkedCardIds: checked ? [...linkedCardIds, id] : linkedCardIds.filter((each) => each !== id) })
              }
            />
            {title || 'Untitled card'}
          </label>
        ))}
      </fieldset>
    </>
  );
}

/** What is chosen at first. */
function Default({ body, issue }: { body: Signal<Body>; issue: string | undefined }) {
  const { filterType, defaultValue } = body.value;
  const set = (value: unknown) => {
    const { defaultValue: _former, ...others } = body.peek();
    body.value = value === null ? others : { ...others, defaultValue: JSON.stringify(value) };
  };
  const value = parsed(defaultValue ?? null);
  if (filterType === 'relative_date') {
    return (
      <SelectField
        label="Default"
        issue={issue}
        value={defaultValue ?? ''}
        onChange={({ currentTarget }) => set(parsed(currentTarget.value || null))}
      >
        {PERIODS.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
        {defaultValue && !PERIODS.some(([each]) => each === defaultValue) && (
          <option value={defaultValue}>{defaultValue}</option>
        )}
      </SelectField>
    );
  }
  if (filterType === 'boolean') {
    return (
      <SelectField
        label="Default"
        issue={issue}
        value={value === null ? '' : String(value)}
        onChange={({ currentTarget }) => set(parsed(currentTarget.value || null))}
      >
        <option value="">All</option>
        <option value="true">Yes</option>
        <option value="false">No</option>
      </SelectField>
    );
  }
  if (filterType === 'date_range' || filterType === 'number_range') {
    const names = filterType === 'date_range' ? (['from', 'to'] as const) : (['min', 'max'] as const);
    const range = (value ?? {}) as Record<string, string | number | null>;
    return (
      <fieldset class="placing" aria-label="Default">
        {names.map((name, at) => (
          <Field
            key={name}
            label={at === 0 ? 'Default from' : 'to'}
            type={filterType === 'date_range' ? 'date' : 'number'}
            step="any"
            issue={at === 0 ? issue : undefined}
            value={range[name] == null ? '' : String(range[name])}
            onChange={({ currentTarget: { value: text } }) => {
              const part = text === '' ? null : filterType === 'date_range' ? text : Number(text);
              const next = { [names[0]]: null, [names[1]]: null, ...range, [name]: part };
              set(Object.values(next).every((each) => each === null) ? null : next);
            }}
          />
        ))}
      </fieldset>
    );
  }
  const isMany = filterType === 'multi_select';
  const text = value === null ? '' : Array.isArray(value) ? value.join(', ') : String(value);
  return (
    <Field
      label="Default"
      issue={issue}
      hint={isMany ? 'Separate values with commas. Leave it empty for all.' : 'Leave it empty for all.'}
      value={text}
      onChange={({ currentTarget }) => {
        const given = currentTarget.value.trim();
        if (given === '') return set(null);
        set(isMany ? given.split(',').map((each) => each.trim()) : given);
      }}
    />
  );
}
