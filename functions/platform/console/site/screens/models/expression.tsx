import { useEffect, useRef, useState } from 'preact/hooks';
import type { Types } from '../../data/client.ts';
import { TextField } from '../../ui/field.tsx';

type Diagnostic = Types.ExpressionDiagnostic;
export interface Checked {
  ok: boolean;
  diagnostics: readonly Diagnostic[];
  dataType: string | null;
}

interface ExpressionFieldProps {
  label: string;
  value: string;
  hint?: string;
  issue?: string | undefined;
  onChange(value: string): void;
  /** Asks the API what is wrong; absent where it cannot say before saving. */
  check?: (expression: string) => PromiseLike<Checked>;
  /** What was wrong when it was saved. */
  stored?: readonly Diagnostic[];
}

const PAUSE_MS = 400;

/** An expression, checked by the API after each pause in typing. Errors lead to their places. */
export function ExpressionField({ label, value, hint, issue, onChange, check, stored = [] }: ExpressionFieldProps) {
  const box = useRef<HTMLDivElement>(null);
  const checked = useChecked(value, check);
  const diagnostics = checked ? checked.diagnostics : stored;
  const show = ({ from, to }: Diagnostic) => {
    const field = box.current!.querySelector('textarea')!;
    field.focus();
    field.setSelectionRange(from, Math.max(to, from + 1));
  };
  return (
    <div class="expression-field" ref={box}>
      <TextField
        label={label}
        hint={hint}
        required
        rows={4}
        spellcheck={false}
        autocomplete="off"
        issue={issue}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <div role="status">
        {checked?.ok && <p class="hint">Valid{checked.dataType && `: the result is of type ${checked.dataType}`}.</p>}
        {diagnostics.length > 0 && (
          <ul class="diagnostics">
            {diagnostics.map((each) => (
              <li key={`${each.from} ${each.code}`} class={each.severity}>
                <button type="button" onClick={() => show(each)}>
                  {placeText(value, each.from)}
                </button>{' '}
                {each.message} {each.hint && <span class="hint">{each.hint}</span>}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

/** The check of what is typed now; undefined while there is none. */
function useChecked(value: string, check: ExpressionFieldProps['check']): Checked | undefined {
  const [found, setFound] = useState<{ of: string; result: Checked }>();
  useEffect(() => {
    if (!check || value.trim() === '') return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      // An editor whose check cannot be made is still told when saving.
      check(value).then(
        (result) => isCurrent && setFound({ of: value, result }),
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [value]);
  return found?.of === value ? found.result : undefined;
}

/** Such as `Line 1, column 5`. */
function placeText(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `Line ${before.length}, column ${before.at(-1)!.length + 1}`;
}
