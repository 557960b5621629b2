import { type Condition, OPERATORS, RANGES } from '../../data/alerts.ts';
import { Field, SelectField } from '../../ui/field.tsx';

type Recover = Condition['recover'];

interface RecoveryProps {
  value: Recover;
  onChange(recover: Recover): void;
  issueAt: (pointer: string) => string | undefined;
}

const CHOICES = ['lt', 'lte', 'gt', 'gte', 'eq', 'ne', 'between', 'outside'];

/** When an alert that has fired is over, if not as soon as the condition is no longer met. */
export function Recovery({ value, onChange, issueAt }: RecoveryProps) {
  const isRange = value !== undefined && RANGES.includes(value.operator);
  const ends = [value?.threshold ?? 0].flat();
  const choose = (operator: string) =>
    onChange(
      operator === '' ? undefined : ({ operator, threshold: RANGES.includes(operator) ? [0, 0] : 0 } as Recover),
    );
  const setEnd = (index: number, text: string) => {
    const number = Number(text);
    onChange({ ...value!, threshold: isRange ? ends.with(index, number) : number } as Recover);
  };
  return (
    <div class="threshold">
      <SelectField
        label="Recovers if the value"
        value={value?.operator ?? ''}
        issue={issueAt('/recover') ?? issueAt('/recover/operator')}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="">no longer meets the condition</option>
        {CHOICES.map((name) => (
          <option key={name} value={name}>
            {OPERATORS[name]}
          </option>
        ))}
      </SelectField>
      {value &&
        ends.map((end, index) => (
          <Field
            key={String(index)}
            label={isRange ? (index === 0 ? 'Recovers from' : 'Recovers to') : 'Recovers at'}
            type="number"
            step="any"
            required
            issue={issueAt('/recover/threshold')}
            value={String(end)}
            onInput={({ currentTarget }) => setEnd(index, currentTarget.value)}
          />
        ))}
    </div>
  );
}
