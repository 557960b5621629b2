import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import { useList } from '../../../data/list.ts';
import { useMe } from '../../../data/me.ts';
import { issueOf, problemOf } from '../../../data/problem.ts';
import { refreshQueries } from '../../../data/query.ts';
import { switchWorkspace } from '../../../data/workspace.ts';
import { DeleteDialog } from '../../../shell/delete-record.tsx';
import { to } from '../../../ui/address.ts';
import { bound } from '../../../ui/bound.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { dayText } from '../../../ui/moment.ts';
import { Section } from '../../../ui/page.tsx';
import { Failed, Issue, Loading } from '../../../ui/states.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import { toast } from '../../../ui/toast.tsx';

/** The workspaces of the company, also those that are deleted and can be restored. */
export function Workspaces() {
  const { route } = useLocation();
  const me = useMe().data!;
  const list = useList<Types.Workspace>(['company', 'workspaces', 'list'], (place) =>
    api.company.listWorkspaces({ ...place, sort: 'name' }),
  );
  const [isMaking, setMaking] = useState(false);
  const [removing, setRemoving] = useState<Types.Workspace>();
  const enter = useAction(async (id: string) => {
    await switchWorkspace(id);
    route(to('/'));
  });
  const restore = useAction(async ({ id, name }: Types.Workspace) => {
    await api.workspaces.restore(id);
    await refreshQueries(['company', 'workspaces']);
    toast(`“${name}” is restored.`);
  });
  const isMember = (id: string) => me.workspaces.some((each) => each.id === id);
  const columns: readonly Column<Types.Workspace>[] = [
    {
      id: 'name',
      label: 'Name',
      cell: ({ id, name }) => (
        <span title={name}>
          {name}
          {id === me.workspaceId && <span class="hint"> · this one</span>}
        </span>
      ),
    },
    {
      id: 'state',
      label: 'Status',
      isMinor: true,
      width: '190px',
      cell: ({ createdAt, deletesAt }) =>
        deletesAt === null ? (
          <>
            created <Ago at={createdAt} />
          </>
        ) : (
          `erased on ${dayText(deletesAt)}`
        ),
    },
    {
      id: 'actions',
      label: 'Actions',
      width: '130px',
      cell: (workspace) => {
        const { id, name, deletesAt } = workspace;
        if (deletesAt !== null)
          return (
            <Button isSmall isBusy={restore.isRunning} onClick={() => void restore.run(workspace)}>
              Restore<span class="sr"> {name}</span>
            </Button>
          );
        if (id === me.workspaceId) return null;
        return (
          <span class="row-actions">
            {isMember(id) && (
              <Button isSmall isBusy={enter.isRunning} onClick={() => void enter.run(id)}>
                Open<span class="sr"> {name}</span>
              </Button>
            )}
            <IconButton icon="trash-2" label={`Delete ${name}`} onClick={() => setRemoving(workspace)} />
          </span>
        );
      },
    },
  ];
  return (
    <Section
      title="Workspaces"
      actions={
        <Button look="main" icon="plus" isSmall onClick={() => setMaking(true)}>
          New workspace
        </Button>
      }
    >
      {!list.items &&
        (list.error ? <Failed problem={problemOf(list.error)} retry={list.refresh} /> : <Loading rows={2} />)}
      {list.items && <Table label="Workspaces" columns={columns} list={list} keyOf={({ id }) => id} />}
      <Issue problem={enter.problem ?? restore.problem} />
      {isMaking && <NewWorkspace close={() => setMaking(false)} />}
      {removing && (
        <DeleteDialog
          what={`“${removing.name}”`}
          typed={removing.name}
          remove={async () => {
            await api.workspaces.delete(removing.id, { confirm: removing.name }, { ifMatch: removing.revision });
            await refreshQueries(['company', 'workspaces']);
          }}
          close={() => setRemoving(undefined)}
        >
          Everyone loses access immediately. It can be restored for a few days; then everything is erased.
        </DeleteDialog>
      )}
    </Section>
  );
}

function NewWorkspace({ close }: { close: () => void }) {
  const { route } = useLocation();
  const name = useSignal('');
  const create = useAction(async () => {
    const { id } = await api.workspaces.create({ name: name.peek().trim() });
    await switchWorkspace(id);
    route(to('/'));
  });
  const issue = issueOf(create.problem, 'name');
  return (
    <Dialog
      title="New workspace"
      close={close}
      action="Create and open"
      submit={create.run}
      isBusy={create.isRunning}
      problem={issue ? undefined : create.problem}
    >
      <p class="hint">It has its own data, people and rights. You become its first admin.</p>
      <Field label="Name" required maxLength={200} issue={issue} {...bound(name)} />
    </Dialog>
  );
}
