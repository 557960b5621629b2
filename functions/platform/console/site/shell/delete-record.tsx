import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../data/action.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Section } from '../ui/page.tsx';
import { Referrers } from './referrers.tsx';

interface Deletion {
  /** The record as the question calls it, such as `“Sales”`. */
  what: string;
  remove: () => Promise<unknown>;
  /** The name that the person has to type, for what cannot be restored. */
  typed?: string;
  /** What is lost. */
  children: ComponentChildren;
}

/** Asks before a record is deleted. What uses it, and so prevents it, is listed. */
export function DeleteDialog({ what, remove, typed, children, close }: Deletion & { close: () => void }) {
  const { run, isRunning, problem } = useAction(remove);
  return (
    <Confirm
      title={`Delete ${what}?`}
      action="Delete"
      name={typed}
      submit={run}
      isBusy={isRunning}
      problem={problem}
      close={close}
    >
      <p>{children}</p>
      <Referrers problem={problem} />
    </Confirm>
  );
}

/** `Delete the alert`, with the question before it is done. */
export function DeleteButton({ noun, ...deletion }: Deletion & { noun: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="danger" icon="trash-2" onClick={() => setOpen(true)}>
        {`Delete the ${noun}`}
      </Button>
      {isOpen && <DeleteDialog {...deletion} close={() => setOpen(false)} />}
    </>
  );
}

/** At the end of the settings of a record. */
export const DeleteSection = ({ hint, ...deletion }: Deletion & { noun: string; hint?: string }) => (
  <Section title="Delete">
    {hint !== undefined && <p class="hint">{hint}</p>}
    <div class="actions">
      <DeleteButton {...deletion} />
    </div>
  </Section>
);
