import { CHANGES, type Condition, OPERATORS, RANGES } from '../../data/alerts.ts';
import { Field, SelectField } from '../../ui/field.tsx';

type Compared = Pick<Condition, 'operator' | 'threshold' | 'compare'>;

interface ThresholdProps {
  value: Compared;
  onChange(change: Partial<Compared>): void;
  /** Metrics have periods and targets. */
  isMetric: boolean;
  issueAt: (pointer: string) => string | undefined;
}

const METRIC_ONLY = ['is_behind_target'];

/** When the value counts: an operator and what it compares with. */
export function Threshold({ value: { operator, threshold, compare }, onChange, isMetric, issueAt }: ThresholdProps) {
  const isRange = RANGES.includes(operator);
  const isChange = CHANGES.includes(operator);
  const [low, high] = Array.isArray(threshold) ? threshold : [threshold, undefined];
  const isTarget = typeof threshold === 'object' && !Array.isArray(threshold);
  const chooseOperator = (next: string) =>
    onChange({
      operator: next,
      threshold:
        next === 'is_behind_target' ? undefined : RANGES.includes(next) ? [0, 0] : isTarget || isRange ? 0 : threshold,
      compare: CHANGES.includes(next)
        ? (compare ?? { to: isMetric ? 'previous_period' : 'previous_run', unit: 'percent' })
        : undefined,
    } as Partial<Compared>);
  const numberField = (label: string, at: string, number: unknown, set: (next: number | undefined) => void) => (
    <Field
      label={label}
      type="number"
      step="any"
      required={operator !== 'unusual'}
      issue={issueAt(at)}
      value={typeof number === 'number' ? String(number) : ''}
      onInput={({ currentTarget: { value } }) => set(value === '' ? undefined : Number(value))}
    />
  );
  return (
    <div class="threshold">
      <SelectField
        label="Fires if the value"
        value={operator}
        issue={issueAt('/operator')}
        onChange={({ currentTarget }) => chooseOperator(currentTarget.value)}
      >
        {Object.entries(OPERATORS)
          .filter(([name]) => isMetric || !METRIC_ONLY.includes(name))
          .map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
      </SelectField>
      {isRange && (
        <>
          {numberField('From', '/threshold/0', low, (next) => onChange({ threshold: [next ?? 0, high ?? 0] as never }))}
          {numberField('To', '/threshold/1', high, (next) => onChange({ threshold: [low ?? 0, next ?? 0] as never }))}
        </>
      )}
      {!isRange &&
        operator !== 'is_behind_target' &&
        !isTarget &&
        numberField(
          isChange && compare?.unit !== 'absolute'
            ? 'Percent'
            : operator === 'unusual'
              ? 'Deviations (3.5)'
              : 'Threshold',
          '/threshold',
          threshold,
          (next) => onChange({ threshold: next }),
        )}
      {isTarget && <p class="hint">Compared with the target of the metric.</p>}
      {isChange && (
        <>
          <SelectField
            label="Since"
            value={compare?.to ?? ''}
            issue={issueAt('/compare/to') ?? issueAt('/compare')}
            onChange={({ currentTarget }) => onChange({ compare: { ...compare, to: currentTarget.value } as never })}
          >
            {isMetric && <option value="previous_period">the period before</option>}
            {isMetric && <option value="same_period_last_year">the same period last year</option>}
            <option value="previous_run">the evaluation before</option>
          </SelectField>
          <SelectField
            label="Measured in"
            value={compare?.unit ?? 'percent'}
            onChange={({ currentTarget }) => onChange({ compare: { ...compare, unit: currentTarget.value } as never })}
          >
            <option value="percent">percent</option>
            <option value="absolute">the unit of the value</option>
          </SelectField>
        </>
      )}
    </div>
  );
}
