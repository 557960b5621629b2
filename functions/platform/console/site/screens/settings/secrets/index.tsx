import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import { useList } from '../../../data/list.ts';
import { hasRole, useMe } from '../../../data/me.ts';
import { issueOf } from '../../../data/problem.ts';
import { refreshQueries } from '../../../data/query.ts';
import { DeleteDialog } from '../../../shell/delete-record.tsx';
import { ListTable } from '../../../shell/list-table.tsx';
import { bound } from '../../../ui/bound.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field, TextField } from '../../../ui/field.tsx';
import { Section } from '../../../ui/page.tsx';
import { Empty } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';

const KEY = ['secrets'];

/** Values that pipelines use by name, and that nobody reads. */
export default function Secrets() {
  const isAdmin = hasRole(useMe().data, 'admin');
  const list = useList<Types.Secret>(KEY, (place) => api.secrets.list({ ...place, sort: 'name' }));
  const [open, setOpen] = useState<Types.Secret | 'new'>();
  const [removing, setRemoving] = useState<Types.Secret>();
  const columns: Column<Types.Secret>[] = [
    { id: 'name', label: 'Name', cell: ({ name }) => <code title={name}>{name}</code> },
    { id: 'description', label: 'Description', isMinor: true, cell: ({ description }) => description ?? '' },
    { id: 'changed', label: 'Set', width: '130px', cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
    ...(isAdmin
      ? [
          {
            id: 'actions',
            label: 'Actions',
            width: '150px',
            cell: (secret: Types.Secret) => (
              <span class="row-actions">
                <Button isSmall aria-label={`Replace ${secret.name}`} onClick={() => setOpen(secret)}>
                  Replace
                </Button>
                <IconButton icon="trash-2" label={`Delete ${secret.name}`} onClick={() => setRemoving(secret)} />
              </span>
            ),
          },
        ]
      : []),
  ];
  return (
    <Section
      title="Secrets"
      actions={
        isAdmin && (
          <Button look="main" icon="plus" isSmall onClick={() => setOpen('new')}>
            New secret
          </Button>
        )
      }
    >
      <ListTable label="Secrets" columns={columns} list={list} bars={3} keyOf={({ name }) => name}>
        <Empty icon="lock" title="There is no secret yet">
          Steps of pipelines refer to secrets by name, such as {'{{ secrets.API_TOKEN }}'}. No reply shows their values.
        </Empty>
      </ListTable>
      {open !== undefined && <SecretForm {...(open !== 'new' && { secret: open })} close={() => setOpen(undefined)} />}
      {removing && (
        <DeleteDialog
          what={`“${removing.name}”`}
          remove={async () => {
            await api.secrets.delete(removing.name, { ifMatch: removing.revision });
            await refreshQueries(KEY);
          }}
          close={() => setRemoving(undefined)}
        >
          A secret that something uses cannot be deleted.
        </DeleteDialog>
      )}
    </Section>
  );
}

function SecretForm({ secret, close }: { secret?: Types.Secret; close: () => void }) {
  const name = useSignal(secret?.name ?? '');
  const value = useSignal('');
  const description = useSignal(secret?.description ?? '');
  const save = useAction(async () => {
    const body = { value: value.peek(), description: description.peek().trim() || null };
    await api.secrets.put(name.peek().trim(), body, secret && { ifMatch: secret.revision });
    value.value = '';
    await refreshQueries(KEY);
  });
  return (
    <Dialog
      title={secret ? `Replace ${secret.name}` : 'New secret'}
      close={close}
      action="Save"
      submit={save.run}
      isBusy={save.isRunning}
      problem={save.problem}
    >
      {!secret && (
        <Field
          label="Name"
          required
          maxLength={100}
          placeholder="API_TOKEN"
          hint="An existing secret of this name is replaced."
          issue={issueOf(save.problem, 'name')}
          {...bound(name)}
        />
      )}
      <TextField
        label="Value"
        required
        rows={3}
        autocomplete="off"
        spellcheck={false}
        issue={issueOf(save.problem, 'value')}
        {...bound(value)}
      />
      <Field label="Description" maxLength={500} {...bound(description)} />
    </Dialog>
  );
}
