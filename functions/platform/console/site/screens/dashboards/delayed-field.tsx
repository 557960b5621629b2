import { useEffect, useRef, useState } from 'preact/hooks';
import { Field, TextField } from '../../ui/field.tsx';

const PAUSE_MS = 700;

interface DelayedFieldProps {
  label: string;
  hint?: string;
  value: string;
  /** After a pause in typing, and when the field is left. */
  save: (value: string) => unknown;
  type?: 'text' | 'url';
  maxLength?: number;
  /** Makes it a text of several lines. */
  rows?: number;
  issue?: string | undefined;
}

/** A field that saves by itself. While it has the focus, what others save does not replace what is typed. */
export function DelayedField({ value, save, rows, ...field }: DelayedFieldProps) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const waiting = useRef<string | undefined>(undefined);
  const latest = useRef(save);
  latest.current = save;
  useEffect(() => {
    if (waiting.current === undefined) setText(value);
  }, [value]);
  const commit = () => {
    clearTimeout(timer.current);
    const next = waiting.current;
    waiting.current = undefined;
    if (next !== undefined && next !== value) latest.current(next);
  };
  useEffect(() => commit, []);
  const control = {
    ...field,
    value: text,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => {
      setText(currentTarget.value);
      waiting.current = currentTarget.value;
      clearTimeout(timer.current);
      timer.current = setTimeout(commit, PAUSE_MS);
    },
    onBlur: commit,
  };
  return rows === undefined ? <Field {...control} /> : <TextField {...control} rows={rows} />;
}
