import { useId } from 'preact/hooks';
import { Field } from './field.tsx';

interface SuggestedFieldProps {
  label: string;
  hint?: string;
  issue?: string | undefined;
  required: boolean;
  value: string;
  /** Known values, each with what is said of it. */
  values: readonly (readonly [value: string, hint: string])[];
  onChange(value: string): void;
}

/** A field that offers values which are known, and takes any. */
export function SuggestedField({ values, onChange, ...field }: SuggestedFieldProps) {
  const id = useId();
  return (
    <>
      <Field
        {...field}
        {...{ list: `${id}-values` }}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <datalist id={`${id}-values`}>
        {values.map(([value, hint]) => (
          <option key={value} value={value}>
            {hint}
          </option>
        ))}
      </datalist>
    </>
  );
}
