import { Button, IconButton } from '../../ui/button.tsx';
import { FilterValues } from './filter-values.tsx';
import { type ChosenFilter, isComplete, type Known, kindOf, newFilter, OPERATORS, withOperator } from './question.ts';

interface FiltersProps {
  modelId: string;
  known: Known;
  filters: readonly ChosenFilter[];
  change(filters: ChosenFilter[]): void;
}

/** Conditions on rows, of which all must hold. */
export function Filters({ modelId, known, filters, change }: FiltersProps) {
  const set = (at: number, filter: ChosenFilter) =>
    change(filters.map((each, index) => (index === at ? filter : each)));
  const [first] = known.fields.values();
  return (
    <fieldset class="explore-filters" aria-label="Filters">
      {filters.map((filter, at) => {
        const field = known.fields.get(filter.fieldId)!;
        const kind = kindOf(field);
        return (
          <div key={at} class="explore-filter">
            <select
              aria-label={`Field of filter ${at + 1}`}
              value={filter.fieldId}
              onChange={({ currentTarget: { value } }) => set(at, newFilter(known.fields.get(value)!))}
            >
              {[...known.fields.values()].map(({ id, name, table }) => (
                <option key={id} value={id}>
                  {table}.{name}
                </option>
              ))}
            </select>
            <select
              aria-label={`Condition of filter ${at + 1}`}
              value={filter.op}
              onChange={({ currentTarget: { value } }) => set(at, withOperator(filter, kind, value))}
            >
              {OPERATORS[kind].map(({ op, label }) => (
                <option key={op} value={op}>
                  {label}
                </option>
              ))}
            </select>
            <FilterValues
              label={`filter ${at + 1}`}
              modelId={modelId}
              field={field}
              filter={filter}
              change={(values) => set(at, { ...filter, values })}
            />
            <IconButton
              icon="x"
              label={`Remove filter ${at + 1}`}
              onClick={() => change(filters.filter((_, index) => index !== at))}
            />
            {!isComplete(filter) && <span class="hint">Not used until it has a value.</span>}
          </div>
        );
      })}
      {first && (
        <Button isSmall icon="plus" onClick={() => change([...filters, newFilter(preferred(known) ?? first)])}>
          Add a filter
        </Button>
      )}
    </fieldset>
  );
}

/** People filter by texts and times more often than by numbers. */
const preferred = (known: Known) => [...known.fields.values()].find((field) => kindOf(field) === 'text');
