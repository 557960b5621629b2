import { useState } from 'preact/hooks';
import { api } from '../../data/client.ts';
import { useQuery } from '../../data/query.ts';
import { IconButton } from '../../ui/button.tsx';
import { Combobox } from '../../ui/combobox.tsx';
import { type ChosenFilter, GRAINS, type KnownField, kindOf, operatorOf, type Value } from './question.ts';

interface FilterValuesProps {
  label: string;
  modelId: string;
  field: KnownField;
  filter: ChosenFilter;
  change(values: Value[]): void;
}

/** The values of a filter, by what its condition takes. */
export function FilterValues(props: FilterValuesProps) {
  const { label, field, filter, change } = props;
  const kind = kindOf(field);
  const { takes } = operatorOf(kind, filter.op);
  const { values } = filter;
  if (takes === 0) return null;
  if (takes === 'many') return <Many {...props} />;
  if (takes === 'grain') return <GrainOf label={label} value={values[0]} change={(grain) => change([grain])} />;
  if (takes === 'periods') {
    return (
      <>
        <input
          type="number"
          min={1}
          aria-label={`Number of periods of ${label}`}
          value={String(values[0] ?? '')}
          onInput={({ currentTarget: { value } }) => change([Math.max(1, Number(value) || 1), values[1] ?? 'day'])}
        />
        <GrainOf label={label} value={values[1]} change={(grain) => change([values[0] ?? 30, grain])} isPlural />
      </>
    );
  }
  if (kind === 'boolean') {
    return (
      <select
        aria-label={`Value of ${label}`}
        value={String(values[0])}
        onChange={({ currentTarget: { value } }) => change([value === 'true'])}
      >
        <option value="true">true</option>
        <option value="false">false</option>
      </select>
    );
  }
  const set = (at: number, text: string) => {
    const next = Array.from({ length: takes }, (_, index) => values[index] ?? '');
    next[at] = kind === 'number' && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
    change(next);
  };
  return (
    <>
      {Array.from({ length: takes }, (_, at) => (
        <One
          key={at}
          label={`${takes === 2 ? ['First value', 'Last value'][at] : 'Value'} of ${label}`}
          kind={kind}
          value={String(values[at] ?? '')}
          change={(text) => set(at, text)}
        />
      ))}
    </>
  );
}

interface OneProps {
  label: string;
  kind: string;
  value: string;
  change(text: string): void;
}

/** The question is asked when the field is left or Enter is pressed, not with each key. */
const One = ({ label, kind, value, change }: OneProps) =>
  kind === 'time' ? (
    <input type="date" aria-label={label} value={value} onChange={({ currentTarget }) => change(currentTarget.value)} />
  ) : (
    <input
      type="text"
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );

interface GrainOfProps {
  label: string;
  value: Value | undefined;
  change(grain: string): void;
  isPlural?: boolean;
}

const GrainOf = ({ label, value, change, isPlural = false }: GrainOfProps) => (
  <select
    aria-label={`Period of ${label}`}
    value={String(value ?? 'day')}
    onChange={(event) => change(event.currentTarget.value)}
  >
    {GRAINS.map((grain) => (
      <option key={grain} value={grain}>
        {grain}
        {isPlural && 's'}
      </option>
    ))}
  </select>
);

const SHOWN = 20;

/** Values of the field are offered while one types. */
function Many({ label, modelId, field, filter: { values }, change }: FilterValuesProps) {
  const [text, setText] = useState('');
  const { data } = useQuery(
    ['explore', modelId, 'values', field.id, text],
    () => api.models.listFieldValues(modelId, { fieldId: field.id, limit: SHOWN, ...(text && { search: text }) }),
    { keepsLast: true },
  );
  const offered = (data?.values ?? []).filter((value) => !values.includes(value));
  const add = (value: Value) => {
    setText('');
    if (!values.includes(value)) change([...values, value]);
  };
  return (
    <div class="explore-many">
      {values.map((value) => (
        <span key={String(value)} class="explore-chip">
          <span>{value === '' ? 'empty text' : String(value)}</span>
          <IconButton
            icon="x"
            label={`Remove ${value}`}
            onClick={() => change(values.filter((each) => each !== value))}
          />
        </span>
      ))}
      <Combobox
        label={`Values of ${label}`}
        text={text}
        type={setText}
        options={offered.map((value, index) => ({ id: String(index), label: String(value) }))}
        choose={({ id }) => add(offered[Number(id)]!)}
      />
    </div>
  );
}
