import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';
import { Issue, type ShownProblem } from './states.tsx';

interface EntryProps {
  title: string;
  /** Below the title: what is asked for, or what happened. */
  hint?: ComponentChildren;
  /** The fields of the step. */
  children?: ComponentChildren;
  /** What the button of the step does; without it there is none. */
  action?: string;
  submit?: () => Promise<unknown>;
  isBusy?: boolean;
  problem?: ShownProblem | undefined;
  /** Below the button: other ways. */
  others?: ComponentChildren;
}

/** One step before the console: a card with a title, fields and one button. */
export function Entry({ title, hint, children, action, submit, isBusy, problem, others }: EntryProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input:not([type=hidden]), button')?.focus();
  }, []);
  return (
    <div class="entry">
      <p class="brand">Analytics</p>
      <h1>{title}</h1>
      {hint && (
        <p class="hint" role="status">
          {hint}
        </p>
      )}
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          void submit?.();
        }}
      >
        {children}
        {action && (
          <Button type="submit" look="main" isBusy={isBusy === true}>
            {action}
          </Button>
        )}
        <Issue problem={problem} />
        {others && <div class="others">{others}</div>}
      </form>
    </div>
  );
}
