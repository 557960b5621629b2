import { Field, SelectField } from '../../ui/field.tsx';
import { everyOf } from '../../ui/format.ts';

/** Whether people are notified again: `never`, or an ISO 8601 duration such as `PT4H`. */
interface RepeatProps {
  value: string;
  onChange(repeat: string): void;
  issue?: string | undefined;
}

export const NEVER = 'never';
const UNITS = { M: 'minute', H: 'hour', D: 'day' } as const;
type Unit = keyof typeof UNITS;

/** The number and the unit of a duration. */
function partsOf(value: string): { count: string; unit: Unit } {
  const [, count = '', unit = 'H'] = /^PT?(\d*)([MHD])$/.exec(value) ?? [];
  return { count, unit: unit as Unit };
}

const durationOf = (count: string, unit: Unit): string => `P${unit === 'D' ? '' : 'T'}${count}${unit}`;

/** Such as `every 4 hours`. */
export function repeatInWords(value: string): string {
  if (value === NEVER) return 'never';
  const { count, unit } = partsOf(value);
  return everyOf(Number(count), UNITS[unit]);
}

export function Repeat({ value, onChange, issue }: RepeatProps) {
  const isNever = value === NEVER;
  const { count, unit } = partsOf(value);
  return (
    <div class="threshold">
      <SelectField
        label="While it lasts, notify again"
        value={isNever ? NEVER : unit}
        onChange={({ currentTarget: { value: next } }) =>
          onChange(next === NEVER ? NEVER : durationOf(isNever ? '4' : count, next as Unit))
        }
      >
        <option value={NEVER}>never</option>
        {Object.entries(UNITS).map(([key, label]) => (
          <option key={key} value={key}>
            every … {label}s
          </option>
        ))}
      </SelectField>
      {!isNever && (
        <Field
          label={`Number of ${UNITS[unit]}s`}
          hint="From 15 minutes to 30 days."
          type="number"
          min={unit === 'M' ? 15 : 1}
          max={{ M: 9_999, H: 720, D: 30 }[unit]}
          step={1}
          required
          issue={issue}
          value={count}
          onInput={({ currentTarget }) => onChange(durationOf(currentTarget.value, unit))}
        />
      )}
    </div>
  );
}
