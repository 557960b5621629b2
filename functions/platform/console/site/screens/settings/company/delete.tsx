import { useState } from 'preact/hooks';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import { refreshQueries } from '../../../data/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { Section } from '../../../ui/page.tsx';
import { Issue } from '../../../ui/states.tsx';

/** The end of the company, which can be taken back until everything is erased. */
export function DeleteCompany({ company: { name, revision, deletesAt } }: { company: Types.Company }) {
  const [isOpen, setOpen] = useState(false);
  const remove = useAction(async () => {
    await api.company.delete({ confirm: name }, { ifMatch: revision });
    await refreshQueries(['company']);
  });
  const restore = useAction(async () => {
    await api.company.restore();
    await refreshQueries(['company']);
  });
  return (
    <Section title="Delete">
      {deletesAt === null ? (
        <>
          <p class="hint">
            All its workspaces close immediately. They can be restored for a few days; then everything is erased,
            including the accounts of all people.
          </p>
          <div class="actions">
            <Button look="danger" icon="trash-2" onClick={() => setOpen(true)}>
              Delete the company
            </Button>
          </div>
        </>
      ) : (
        <>
          <p>The company is deleted. Everything is erased on {new Date(deletesAt).toLocaleString()}.</p>
          <div class="actions">
            <Button look="main" isBusy={restore.isRunning} onClick={() => void restore.run()}>
              Restore it
            </Button>
          </div>
          <Issue problem={restore.problem} />
        </>
      )}
      {isOpen && (
        <Confirm
          title={`Delete “${name}”?`}
          action="Delete"
          name={name}
          submit={remove.run}
          isBusy={remove.isRunning}
          problem={remove.problem}
          close={() => setOpen(false)}
        >
          <p>This deletes all workspaces of the company, everything in them, and the accounts of its people.</p>
        </Confirm>
      )}
    </Section>
  );
}
