import type { Signal } from '@preact/signals';
import type { Parameter } from '../../data/pipelines.ts';
import { CheckField, Field } from '../../ui/field.tsx';

/** What was typed for each parameter, by name; lists have commas between their items. */
export type Typed = Readonly<Record<string, string | boolean>>;

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value ?? ''));

export const defaultsOf = (parameters: readonly Parameter[]): Typed =>
  Object.fromEntries(
    parameters.map(({ name, type, default: value }) => [name, type === 'boolean' ? value === true : textOf(value)]),
  );

/** What the API takes. A parameter that is left empty has its default, or no value. */
export function valuesOf(parameters: readonly Parameter[], typed: Typed): Record<string, unknown> {
  const values = parameters.map(({ name, type }) => [name, sentValue(type, typed[name] ?? '')] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

function sentValue(type: Parameter['type'], given: string | boolean): unknown {
  if (typeof given === 'boolean') return given;
  if (given.trim() === '') return undefined;
  if (type === 'number') return numberOf(given);
  if (type !== 'list') return given;
  return given
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
    .map(numberOf);
}

/** The API says what is wrong with a text in the place of a number. */
const numberOf = (text: string): number | string => (/^-?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text);

interface ParameterFieldsProps {
  parameters: readonly Parameter[];
  value: Signal<Typed>;
  issues?: readonly { pointer: string; message: string }[] | undefined;
}

/** A field for each parameter of a run. */
export const ParameterFields = ({ parameters, value, issues = [] }: ParameterFieldsProps) => (
  <>
    {parameters.map(({ name, type, required, description, default: fallback }) => {
      const set = (next: string | boolean) => {
        value.value = { ...value.peek(), [name]: next };
      };
      const common = {
        label: name,
        issue: issues.find(({ pointer }) => pointer.startsWith(`/parameters/${name}`))?.message,
      };
      const given = value.value[name];
      if (type === 'boolean')
        return (
          <CheckField
            key={name}
            {...common}
            {...(description && { hint: description })}
            checked={given === true}
            onChange={({ currentTarget }) => set(currentTarget.checked)}
          />
        );
      const hint = [description, type === 'list' && 'Items with commas between them.'].filter(Boolean).join(' ');
      return (
        <Field
          key={name}
          {...common}
          {...(hint && { hint })}
          type={type === 'number' ? 'number' : 'text'}
          step="any"
          required={required === true && fallback === undefined}
          value={String(given ?? '')}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      );
    })}
  </>
);
