import type { Signal } from '@preact/signals';
import { Field } from './field.tsx';

interface NewPasswordProps {
  value: Signal<string>;
  issue?: string | undefined;
  label?: string;
}

/** The rule is that of the API, so that the browser says it before the request. */
const MIN_LENGTH = 12;

export const NewPassword = ({ value, issue, label = 'New password' }: NewPasswordProps) => (
  <Field
    label={label}
    type="password"
    name="new-password"
    autocomplete="new-password"
    required
    minLength={MIN_LENGTH}
    hint={`At least ${MIN_LENGTH} characters.`}
    issue={issue}
    value={value.value}
    onInput={({ currentTarget }) => {
      value.value = currentTarget.value;
    }}
  />
);
