import { useAction } from '../../data/action.ts';
import { DeleteSection } from '../../shell/delete-record.tsx';
import { Button } from '../../ui/button.tsx';
import { momentText } from '../../ui/moment.ts';
import { Section } from '../../ui/page.tsx';
import { Issue } from '../../ui/states.tsx';

interface ClosingProps {
  /** `workspace` or `company`. */
  noun: string;
  name: string;
  /** When everything is erased, once it is deleted. */
  deletesAt: string | null;
  hint: string;
  /** What is lost. */
  loses: string;
  remove: () => Promise<unknown>;
  restore: () => Promise<unknown>;
}

/** The end of a workspace or of the company, which can be taken back until everything is erased. */
export function Closing({ noun, name, deletesAt, hint, loses, remove, restore }: ClosingProps) {
  const restoring = useAction(restore);
  if (deletesAt === null) {
    return (
      <DeleteSection noun={noun} what={`“${name}”`} typed={name} hint={hint} remove={remove}>
        {loses}
      </DeleteSection>
    );
  }
  return (
    <Section title="Delete">
      <p>{`The ${noun} is deleted. Everything is erased on ${momentText(deletesAt)}.`}</p>
      <div class="actions">
        <Button look="main" isBusy={restoring.isRunning} onClick={() => void restoring.run()}>
          Restore it
        </Button>
      </div>
      <Issue problem={restoring.problem} />
    </Section>
  );
}
