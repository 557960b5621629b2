import { useId, useRef } from 'preact/hooks';

interface CodeFieldProps {
  label: string;
  hint?: string | undefined;
  issue?: string | undefined;
  value: string;
  onChange(value: string): void;
  required?: boolean;
  /** Lines that are shown at least, and at most before it scrolls. */
  rows?: number;
  maxRows?: number;
}

/** A field for SQL, code or YAML, with the numbers of its lines. Tab leaves it. */
export function CodeField(props: CodeFieldProps) {
  const { label, hint, issue, value, onChange, required, rows = 4, maxRows = 24 } = props;
  const id = useId();
  const numbers = useRef<HTMLDivElement>(null);
  const lines = value.split('\n').length;
  const described = [hint && `${id}-hint`, issue && `${id}-issue`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="code-field">
        <div class="line-numbers" aria-hidden="true" ref={numbers}>
          {Array.from({ length: lines }, (_, index) => index + 1).join('\n')}
        </div>
        <textarea
          id={id}
          rows={Math.max(rows, Math.min(maxRows, lines))}
          wrap="off"
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          required={required}
          aria-invalid={issue !== undefined || undefined}
          aria-describedby={described || undefined}
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
          onScroll={({ currentTarget }) => {
            numbers.current!.scrollTop = currentTarget.scrollTop;
          }}
        />
      </div>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {issue && (
        <p class="issue" id={`${id}-issue`}>
          {issue}
        </p>
      )}
    </div>
  );
}
