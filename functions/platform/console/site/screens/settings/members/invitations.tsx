import { useState } from 'preact/hooks';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import { useList } from '../../../data/list.ts';
import { problemOf } from '../../../data/problem.ts';
import { refreshQueries } from '../../../data/query.ts';
import { DeleteDialog } from '../../../shell/delete-record.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Section } from '../../../ui/page.tsx';
import { Failed, Issue } from '../../../ui/states.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import { toast } from '../../../ui/toast.tsx';
import { invitationLink } from './addresses.ts';

/** People who have not accepted yet. */
export function Invitations() {
  const list = useList<Types.Invitation>(['invitations'], (place) => api.workspaces.listInvitations(place));
  const [removing, setRemoving] = useState<Types.Invitation>();
  const [link, setLink] = useState<Types.Invitation>();
  const resend = useAction(async (id: string) => {
    const sent = await api.workspaces.resendInvitation(id);
    await refreshQueries(['invitations']);
    if (sent.token === null) toast(`The invitation was sent to ${sent.email} again.`);
    else setLink(sent);
  });
  if (list.error && !list.items) {
    return (
      <Section title="Invitations">
        <Failed problem={problemOf(list.error)} retry={list.refresh} />
      </Section>
    );
  }
  if (!list.items || list.items.length === 0) return null;
  const columns: Column<Types.Invitation>[] = [
    { id: 'email', label: 'Email', cell: ({ email }) => <span title={email}>{email}</span> },
    { id: 'role', label: 'Role', width: '80px', cell: ({ role }) => role },
    {
      id: 'state',
      label: 'Status',
      isMinor: true,
      width: '150px',
      cell: ({ expiresAt, createdAt }) =>
        Date.parse(expiresAt) < Date.now() ? (
          'expired'
        ) : (
          <>
            invited <Ago at={createdAt} />
          </>
        ),
    },
    {
      id: 'actions',
      label: 'Actions',
      width: '170px',
      cell: (invitation) => (
        <span class="row-actions">
          <Button isSmall isBusy={resend.isRunning} onClick={() => void resend.run(invitation.id)}>
            Send again
          </Button>
          <IconButton
            icon="trash-2"
            label={`Delete the invitation of ${invitation.email}`}
            onClick={() => setRemoving(invitation)}
          />
        </span>
      ),
    },
  ];
  return (
    <Section title="Invitations">
      <Issue problem={resend.problem} />
      <Table label="Invitations" columns={columns} list={list} keyOf={({ id }) => id} />
      {removing && (
        <DeleteDialog
          what="the invitation"
          remove={async () => {
            await api.workspaces.deleteInvitation(removing.id, { ifMatch: removing.revision });
            await refreshQueries(['invitations']);
          }}
          close={() => setRemoving(undefined)}
        >
          The invitation link for {removing.email} stops working.
        </DeleteDialog>
      )}
      {link && (
        <Dialog title="Pass on the link" close={() => setLink(undefined)}>
          <p>This deployment sends no emails. Give this link to {link.email}; it is not shown again.</p>
          <div class="actions">
            <CopyButton text={invitationLink(link.token!)}>Copy the link</CopyButton>
          </div>
        </Dialog>
      )}
    </Section>
  );
}
