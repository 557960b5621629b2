import { useState } from 'preact/hooks';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import { refreshQueries } from '../../../data/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { Section } from '../../../ui/page.tsx';
import { Issue } from '../../../ui/states.tsx';

/** The end of a workspace, which can be taken back until everything is erased. */
export function DeleteWorkspace({ workspace: { id, name, revision, deletesAt } }: { workspace: Types.Workspace }) {
  const [isOpen, setOpen] = useState(false);
  const changed = () => refreshQueries(['workspace']);
  const remove = useAction(async () => {
    await api.workspaces.delete(id, { confirm: name }, { ifMatch: revision });
    await changed();
  });
  const restore = useAction(async () => {
    await api.workspaces.restore(id);
    await changed();
  });
  return (
    <Section title="Delete">
      {deletesAt === null ? (
        <>
          <p class="hint">
            Everyone loses access immediately. It can be restored for a few days; then everything is erased.
          </p>
          <div class="actions">
            <Button look="danger" icon="trash-2" onClick={() => setOpen(true)}>
              Delete the workspace
            </Button>
          </div>
        </>
      ) : (
        <>
          <p>The workspace is deleted. Everything is erased at {new Date(deletesAt).toLocaleString()}.</p>
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
          <p>Sources, datasets, models, dashboards, pipelines and everything else in it.</p>
        </Confirm>
      )}
    </Section>
  );
}
