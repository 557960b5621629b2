import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import type { Role } from '../../../data/me.ts';
import { problemOf } from '../../../data/problem.ts';
import { refreshQueries, useQuery } from '../../../data/query.ts';
import { bound } from '../../../ui/bound.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { CheckField, TextField } from '../../../ui/field.tsx';
import { counted } from '../../../ui/format.ts';
import { toast } from '../../../ui/toast.tsx';
import { RoleField } from '../role-field.tsx';
import { addressesIn, invitationLink } from './addresses.ts';

const MAX_GROUPS = 100;

/** Invites one or more people. Those whose invitation failed stay in the field, each with the reason. */
export function Invite({ close }: { close: () => void }) {
  const text = useSignal('');
  const role = useSignal<Role>('viewer');
  const groupIds = useSignal<readonly string[]>([]);
  const [failed, setFailed] = useState<readonly string[]>([]);
  const [links, setLinks] = useState<readonly Types.Invitation[]>([]);
  const groups = useQuery(['groups', 'choice'], () => api.groups.list({ limit: MAX_GROUPS, sort: 'name' })).data?.items;
  const addresses = addressesIn(text.value);
  const invite = useAction(async () => {
    const unsent: { email: string; why: string }[] = [];
    const made: Types.Invitation[] = [];
    for (const email of addresses) {
      try {
        made.push(
          await api.workspaces.createInvitation({
            email,
            role: role.peek(),
            ...(groupIds.peek().length > 0 && { groupIds: [...groupIds.peek()] }),
          }),
        );
      } catch (error) {
        const { sentence, issues } = problemOf(error);
        unsent.push({ email, why: issues[0]?.message ?? sentence });
      }
    }
    await refreshQueries(['invitations']);
    text.value = unsent.map(({ email }) => email).join('\n');
    setFailed(unsent.map(({ email, why }) => `${email}: ${why}`));
    if (made.length > 0) toast(`${counted(made.length, 'person', 'people')} invited.`);
    setLinks(made.filter(({ token }) => token !== null));
    if (unsent.length > 0) throw new Error(`${counted(unsent.length, 'person', 'people')} could not be invited.`);
  });
  if (links.length > 0) return <Links links={links} close={close} />;
  const toggle = (id: string, isOn: boolean) => {
    groupIds.value = isOn ? [...groupIds.peek(), id] : groupIds.peek().filter((each) => each !== id);
  };
  return (
    <Dialog
      title="Invite people"
      close={close}
      action={addresses.length > 1 ? `Invite ${addresses.length} people` : 'Invite'}
      isIncomplete={addresses.length === 0}
      isBusy={invite.isRunning}
      problem={invite.problem && { ...invite.problem, issues: failed.map((message) => ({ pointer: '', message })) }}
      submit={async () => (await invite.run()) && links.length === 0}
    >
      <TextField label="Email addresses" hint="Separated by commas or line breaks." {...bound(text)} />
      <RoleField value={role} />
      {groups && groups.length > 0 && (
        <fieldset class="field-group choices">
          <legend>Groups</legend>
          {groups.map(({ id, name }) => (
            <CheckField
              key={id}
              label={name}
              checked={groupIds.value.includes(id)}
              onChange={({ currentTarget }) => toggle(id, currentTarget.checked)}
            />
          ))}
        </fieldset>
      )}
    </Dialog>
  );
}

/** A deployment without email: the links have to be passed on. They are shown once. */
const Links = ({ links, close }: { links: readonly Types.Invitation[]; close: () => void }) => (
  <Dialog title="Pass on the links" close={close}>
    <p>This deployment sends no emails. Give each person their own link; it is not shown again.</p>
    <ul class="rows">
      {links.map(({ id, email, token }) => (
        <li key={id}>
          <span>{email}</span>
          <CopyButton text={invitationLink(token!)}>Copy the link</CopyButton>
        </li>
      ))}
    </ul>
  </Dialog>
);
