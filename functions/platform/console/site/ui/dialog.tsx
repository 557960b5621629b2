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
  /** Buttons at the bottom, the main one last. */
  actions?: ComponentChildren;
  /** Makes the dialog a form. */
  submit?: () => Promise<unknown>;
}

/**
 * A dialog over the page, while it is rendered. Escape closes it, and the focus returns to where it was. Only for what
 * destroys, and for secrets that are shown once: everything else has a screen.
 */
export function Dialog({ title, close, children, actions, submit }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current!;
    const opener = document.activeElement;
    element.showModal();
    return () => {
      element.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const content = (
    <>
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        <IconButton icon="x" label="Close" onClick={close} />
      </div>
      {children}
      {actions && <div class="actions">{actions}</div>}
    </>
  );
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
      {submit ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          {content}
        </form>
      ) : (
        <div>{content}</div>
      )}
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  /** What is lost. */
  children: ComponentChildren;
  /** The verb, such as `Delete`. */
  action: string;
  run: () => Promise<unknown>;
  close: () => void;
  isBusy?: boolean;
  problem?: ShownProblem | undefined;
  /** The name that the person has to type, for what cannot be restored. */
  name?: string;
}

/** Asks before something is destroyed. */
export function Confirm({ title, children, action, run, close, isBusy, problem, name }: ConfirmProps) {
  const typed = useSignal('');
  const isConfirmed = name === undefined || typed.value === name;
  return (
    <Dialog
      title={title}
      close={close}
      submit={async () => isConfirmed && run()}
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" look="danger" disabled={!isConfirmed} isBusy={isBusy === true}>
            {action}
          </Button>
        </>
      }
    >
      <div>{children}</div>
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
      <Issue problem={problem} />
    </Dialog>
  );
}
