import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import { useMe } from '../../../data/me.ts';
import { issueOf, problemOf } from '../../../data/problem.ts';
import { refreshQueries, useQuery } from '../../../data/query.ts';
import { DeleteDialog } from '../../../shell/delete-record.tsx';
import { bound } from '../../../ui/bound.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import { ShownOnce } from '../keys/shown-once.tsx';

const KEY = ['scim-tokens'];

/** With a token of this workspace, an identity provider keeps its people and groups up to date (SCIM). */
export function Provisioning() {
  const me = useMe().data!;
  const { data, error, refresh } = useQuery(KEY, () => api.scim.listTokens());
  const [isMaking, setMaking] = useState(false);
  const [removing, setRemoving] = useState<Types.ScimToken>();
  const nameOf = (workspaceId: string) =>
    me.workspaces.find(({ id }) => id === workspaceId)?.name ?? 'another workspace';
  const columns: Column<Types.ScimToken>[] = [
    { id: 'name', label: 'Name', cell: ({ name }) => name },
    { id: 'prefix', label: 'Begins with', isMinor: true, width: '130px', cell: ({ prefix }) => <code>{prefix}</code> },
    { id: 'workspace', label: 'Workspace', cell: ({ workspaceId }) => nameOf(workspaceId) },
    {
      id: 'used',
      label: 'Last used',
      isMinor: true,
      width: '120px',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? <span class="hint">never</span> : <Ago at={lastUsedAt} />),
    },
    {
      id: 'actions',
      label: 'Actions',
      width: '90px',
      cell: (token) => <IconButton icon="trash-2" label={`Delete ${token.name}`} onClick={() => setRemoving(token)} />,
    },
  ];
  return (
    <Section
      title="Provisioning (SCIM)"
      actions={
        <Button icon="plus" isSmall onClick={() => setMaking(true)}>
          New token
        </Button>
      }
    >
      {!data && (error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={2} />)}
      {data && (
        <p class="hint">
          Address for the identity provider: <code>{data.baseUrl}</code>
        </p>
      )}
      {data && data.items.length > 0 && (
        <Table label="SCIM tokens" columns={columns} rows={data.items} keyOf={({ id }) => id} />
      )}
      {isMaking && <NewToken workspaceId={me.workspaceId} close={() => setMaking(false)} />}
      {removing && (
        <DeleteDialog
          what={`“${removing.name}”`}
          remove={async () => {
            await api.scim.deleteToken(removing.id);
            await refreshQueries(KEY);
          }}
          close={() => setRemoving(undefined)}
        >
          The identity provider can no longer use it to change people and groups. Existing ones stay.
        </DeleteDialog>
      )}
    </Section>
  );
}

function NewToken({ workspaceId, close }: { workspaceId: string; close: () => void }) {
  const name = useSignal('');
  const [token, setToken] = useState<string>();
  const create = useAction(async () => {
    setToken((await api.scim.createToken({ name: name.peek().trim(), workspaceId })).token);
    await refreshQueries(KEY);
  });
  if (token !== undefined)
    return <ShownOnce title="Your new SCIM token" noun="The token" secret={token} close={close} />;
  return (
    <Dialog
      title="New SCIM token"
      close={close}
      action="Create"
      submit={async () => {
        await create.run();
        return false;
      }}
      isBusy={create.isRunning}
      problem={issueOf(create.problem, 'name') ? undefined : create.problem}
    >
      <p>New people join this workspace as viewers, and groups belong to it.</p>
      <Field label="Name" required maxLength={100} issue={issueOf(create.problem, 'name')} {...bound(name)} />
    </Dialog>
  );
}
