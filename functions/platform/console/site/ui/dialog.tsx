import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button, IconButton } from './button.tsx';
import { Field } from './field.tsx';
import { Issue, type ShownProblem } from './states.tsx';

interface DialogProps {
  title: string;
  close: () => void;
  children: ComponentChildren;
  /** The verb of the main button, such as `Save`. Without it, there is only the way out. */
  action?: string | undefined;
  /** What the main button does. The dialog closes if it resolves to true. */
  submit?: () => Promise<boolean>;
  isBusy?: boolean;
  isDanger?: boolean;
  /** Whether the main button cannot be used yet. */
  isIncomplete?: boolean;
  problem?: ShownProblem | undefined;
}

/**
 * A dialog over the page, while it is rendered. Escape closes it, and the focus returns to where it was. Only for what
 * destroys, for secrets that are shown once, and for forms of one or two fields: everything else has a screen.
 */
export function Dialog({
  title,
  close,
  children,
  action,
  submit,
  isBusy,
  isDanger,
  isIncomplete,
  problem,
}: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current!;
    const opener = document.activeElement;
    element.showModal();
    element.querySelector<HTMLElement>('input, select, textarea')?.focus();
    return () => {
      element.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          if (!isIncomplete && (await submit?.())) close();
        }}
      >
        <div class="dialog-head">
          <h2 id={id}>{title}</h2>
          <IconButton icon="x" label="Close" onClick={close} />
        </div>
        {children}
        <Issue problem={problem} />
        {action !== undefined && (
          <div class="actions">
            <Button onClick={close}>Cancel</Button>
            <Button
              type="submit"
              look={isDanger ? 'danger' : 'main'}
              disabled={isIncomplete === true}
              isBusy={isBusy === true}
            >
              {action}
            </Button>
          </div>
        )}
      </form>
    </dialog>
  );
}

interface ConfirmProps extends Omit<DialogProps, 'isIncomplete' | 'isDanger'> {
  /** The name that the person has to type, for what cannot be restored. */
  name?: string | undefined;
}

/** Asks before something is destroyed. Its children say what is lost. */
export function Confirm({ children, name, ...dialog }: ConfirmProps) {
  const typed = useSignal('');
  return (
    <Dialog {...dialog} isDanger isIncomplete={name !== undefined && typed.value !== name}>
      {children}
      {name !== undefined && (
        <Field
          label={`Type “${name}” to confirm`}
          autocomplete="off"
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
      )}
    </Dialog>
  );
}
