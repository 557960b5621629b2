import { useState } from 'preact/hooks';
import { Field } from './field.tsx';

export type Value = string | number | boolean;

interface ValuesFieldProps {
  label: string;
  hint?: string | undefined;
  issue?: string | undefined;
  /** Several, with commas between them. */
  hasSeveral: boolean;
  /** The type of what the values are compared with. */
  dataType: string | undefined;
  values: readonly Value[];
  onChange(values: Value[]): void;
}

/**
 * A field for values in the type of what they are compared with. It shows what was typed as long as that means the
 * values, which another version of the form may have changed.
 */
export function ValuesField({ label, hint, issue, hasSeveral, dataType, values, onChange }: ValuesFieldProps) {
  const [typed, type] = useState('');
  const read = (text: string) => valuesOf(text, hasSeveral, dataType);
  const isTyped = JSON.stringify(read(typed)) === JSON.stringify(values);
  return (
    <Field
      label={label}
      {...(hint !== undefined && { hint })}
      issue={issue}
      placeholder={hasSeveral ? 'values, separated by commas' : undefined}
      autocomplete="off"
      required
      value={isTyped ? typed : values.join(', ')}
      onInput={({ currentTarget: { value } }) => {
        type(value);
        onChange(read(value));
      }}
    />
  );
}

/** Typed values in their type. A comma separates values only where there can be several. */
const valuesOf = (text: string, hasSeveral: boolean, dataType: string | undefined): Value[] =>
  (hasSeveral ? text.split(',').map((each) => each.trim()) : [text]).map((each) => typedValue(each, dataType));

/** A typed value as a number or a boolean if it is to be one and is written like one. */
export function typedValue(text: string, dataType: string | undefined): Value {
  if (dataType === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  const isNumber = dataType === 'integer' || dataType === 'number' || dataType === 'decimal';
  return isNumber && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}
