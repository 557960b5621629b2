import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button, IconButton } from './button.tsx';
import { Issue, type ShownProblem } from './states.tsx';

interface AskProps {
  title: string;
  children?: ComponentChildren;
  /** What the button does; without it there is only the way out. */
  action?: string;
  /** Closes the dialog if it resolves to true. */
  submit?: () => Promise<boolean>;
  isBusy?: boolean;
  isDanger?: boolean;
  problem?: ShownProblem | undefined;
  /** In the place of the buttons. */
  buttons?: ComponentChildren;
  close(): void;
}

/** A question above the page. It is open while it is rendered; Escape closes it and returns to where it was opened. */
export function Ask({ title, children, action, submit, isBusy, isDanger, problem, buttons, close }: AskProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    return () => opener?.focus();
  }, []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={id} onClose={close}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          if (await submit?.()) close();
        }}
      >
        <div class="dialog-head">
          <h2 id={id}>{title}</h2>
          <IconButton icon="x" label="Close" onClick={close} />
        </div>
        {children}
        <Issue problem={problem} />
        <div class="actions">
          {buttons ?? (
            <>
              <Button onClick={close}>{action ? 'Cancel' : 'Close'}</Button>
              {action && (
                <Button type="submit" look={isDanger ? 'danger' : 'main'} isBusy={isBusy === true}>
                  {action}
                </Button>
              )}
            </>
          )}
        </div>
      </form>
    </dialog>
  );
}
