import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ButtonProps } from './button.tsx';
import { Button } from './button.tsx';
import { Issue, type ShownProblem } from './states.tsx';

interface FormProps {
  /** What the button does, such as `Save`. */
  action: string;
  submit(): Promise<unknown>;
  isBusy: boolean;
  problem?: ShownProblem | undefined;
  look?: ButtonProps['look'];
  /** Beside the button. */
  others?: ComponentChildren;
  /** In the place of the button, such as a question. */
  instead?: ComponentChildren;
  children: ComponentChildren;
}

/** Fields with the button that saves them, and what prevented it. The first field to correct then has the focus. */
export function Form({ action, submit, isBusy, problem, look = 'main', others, instead, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const wasBusy = useRef(false);
  useEffect(() => {
    if (wasBusy.current && !isBusy) form.current!.querySelector<HTMLElement>('[aria-invalid]')?.focus();
    wasBusy.current = isBusy;
  }, [isBusy]);
  return (
    <form
      class="form"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {children}
      {instead ?? (
        <>
          <div class="actions">
            <Button type="submit" look={look} isBusy={isBusy}>
              {action}
            </Button>
            {others}
          </div>
          <Issue problem={problem} />
        </>
      )}
    </form>
  );
}
