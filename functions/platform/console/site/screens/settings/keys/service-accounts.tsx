import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import { type List, useList } from '../../../data/list.ts';
import type { Role } from '../../../data/me.ts';
import { besides, issueOf, type Problem } from '../../../data/problem.ts';
import { refreshQueries } from '../../../data/query.ts';
import { useEdit } from '../../../data/versioned.ts';
import { DeleteDialog } from '../../../shell/delete-record.tsx';
import { ListTable } from '../../../shell/list-table.tsx';
import { bound } from '../../../ui/bound.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Changed } from '../../../ui/changed.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { differencesOf } from '../../../ui/differences.ts';
import { Field, TextField } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import type { Column } from '../../../ui/table.tsx';
import { AttributeFields } from '../attribute-fields.tsx';
import { type AttributeRow, attributesOf, rowsOf } from '../attributes.ts';
import { RoleField } from '../role-field.tsx';

const KEY = ['service-accounts'];

export const useServiceAccounts = (): List<Types.ServiceAccount> =>
  useList<Types.ServiceAccount>(KEY, (place) => api.serviceAccounts.list({ ...place, sort: 'name' }));

/** Programs with a role of their own, which their keys act for. */
export function ServiceAccounts() {
  const list = useServiceAccounts();
  const [open, setOpen] = useState<Types.ServiceAccount | 'new'>();
  const [removing, setRemoving] = useState<Types.ServiceAccount>();
  const columns: Column<Types.ServiceAccount>[] = [
    {
      id: 'name',
      label: 'Name',
      cell: (account) => (
        <button type="button" class="link" onClick={() => setOpen(account)}>
          {account.name}
        </button>
      ),
    },
    { id: 'role', label: 'Role', width: '90px', cell: ({ role }) => role },
    { id: 'description', label: 'Description', isMinor: true, cell: ({ description }) => description },
    {
      id: 'actions',
      label: 'Actions',
      width: '90px',
      cell: (account) => (
        <IconButton icon="trash-2" label={`Delete ${account.name}`} onClick={() => setRemoving(account)} />
      ),
    },
  ];
  return (
    <Section
      title="Service accounts"
      actions={
        <Button icon="plus" isSmall onClick={() => setOpen('new')}>
          New service account
        </Button>
      }
    >
      <ListTable label="Service accounts" columns={columns} list={list} bars={2} keyOf={({ id }) => id}>
        <p class="hint">Keys of a service account have its role, and do not depend on a person.</p>
      </ListTable>
      {open === 'new' && <NewAccount close={() => setOpen(undefined)} />}
      {open !== undefined && open !== 'new' && <EditAccount account={open} close={() => setOpen(undefined)} />}
      {removing && (
        <DeleteDialog
          what={`“${removing.name}”`}
          remove={async () => {
            await api.serviceAccounts.delete(removing.id, { ifMatch: removing.revision });
            await Promise.all([refreshQueries(KEY), refreshQueries(['keys'])]);
          }}
          close={() => setRemoving(undefined)}
        >
          All keys of the service account stop working.
        </DeleteDialog>
      )}
    </Section>
  );
}

/** The fields of a service account. */
function useDraft(account?: Types.ServiceAccount) {
  const name = useSignal(account?.name ?? '');
  const description = useSignal(account?.description ?? '');
  const role = useSignal<Role>((account?.role as Role | undefined) ?? 'viewer');
  const rows = useSignal<readonly AttributeRow[]>(rowsOf(account?.attributes ?? {}));
  return {
    name,
    description,
    role,
    rows,
    body: () => ({
      name: name.peek().trim(),
      description: description.peek().trim(),
      role: role.peek(),
      attributes: attributesOf(rows.peek(), account?.attributes),
    }),
  };
}

type Draft = ReturnType<typeof useDraft>;

/** The members whose issues the fields show. */
const FIELDS = ['name', 'role', 'attributes/'];

const Fields = ({ draft, problem }: { draft: Draft; problem: Problem | undefined }) => (
  <>
    <Field label="Name" required maxLength={200} issue={issueOf(problem, 'name')} {...bound(draft.name)} />
    <TextField label="Description" rows={2} {...bound(draft.description)} />
    <RoleField value={draft.role} issue={issueOf(problem, 'role')} />
    <AttributeFields value={draft.rows} issues={problem?.issues ?? []} />
  </>
);

function NewAccount({ close }: { close: () => void }) {
  const draft = useDraft();
  const create = useAction(async () => {
    await api.serviceAccounts.create(draft.body());
    await refreshQueries(KEY);
  });
  return (
    <Dialog
      title="New service account"
      close={close}
      action="Create"
      submit={create.run}
      isBusy={create.isRunning}
      problem={besides(create.problem, FIELDS)}
    >
      <Fields draft={draft} problem={create.problem} />
    </Dialog>
  );
}

function EditAccount({ account, close }: { account: Types.ServiceAccount; close: () => void }) {
  const { id } = account;
  const draft = useDraft(account);
  const edit = useEdit(
    account,
    () => api.serviceAccounts.get(id),
    async (ifMatch) => {
      const saved = await api.serviceAccounts.update(id, draft.body(), { ifMatch });
      await refreshQueries(KEY);
      return saved;
    },
  );
  const { theirs, problem } = edit;
  return (
    <Dialog
      title={account.name}
      close={close}
      action={theirs ? undefined : 'Save'}
      submit={edit.run}
      isBusy={edit.isRunning}
      problem={theirs ? undefined : besides(problem, FIELDS)}
    >
      <Fields draft={draft} problem={problem} />
      {theirs && (
        <Changed
          differences={differencesOf(theirs, draft.body(), {
            name: 'Name',
            description: 'Description',
            role: 'Role',
            attributes: 'Attributes',
          })}
          keepMine={() => void edit.keepMine().then((isSaved) => isSaved && close())}
          takeTheirs={() => {
            void refreshQueries(KEY);
            close();
          }}
        />
      )}
    </Dialog>
  );
}
