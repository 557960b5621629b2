import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import { type Role, useMe } from '../../../data/me.ts';
import { problemOf } from '../../../data/problem.ts';
import { refreshQueries, useQuery } from '../../../data/query.ts';
import { useEdit } from '../../../data/versioned.ts';
import { to } from '../../../ui/address.ts';
import { Button } from '../../../ui/button.tsx';
import { Changed } from '../../../ui/changed.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { Link } from '../../../ui/link.tsx';
import { Section } from '../../../ui/page.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { Ago } from '../../../ui/time.tsx';
import { toast } from '../../../ui/toast.tsx';
import { RoleField } from '../role-field.tsx';
import { Attributes } from './attributes.tsx';

/** One member: the role, the attributes, and the way out. */
export function MemberPage({ userId }: { userId: string }) {
  const { data: member, error, refresh } = useQuery(['members', userId], () => api.workspaces.getMember(userId));
  if (!member) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={4} />;
  return (
    <>
      <Section title={member.name} actions={<Link to="/settings/members">All members</Link>}>
        <p class="hint">
          {member.email} · joined <Ago at={member.joinedAt} />
        </p>
        <RoleForm key={member.revision} member={member} />
      </Section>
      <Section title="Attributes">
        <Attributes userId={userId} />
      </Section>
      <Leave member={member} />
    </>
  );
}

function RoleForm({ member }: { member: Types.Member }) {
  const { userId } = member;
  const role = useSignal(member.role as Role);
  const edit = useEdit(
    member,
    () => api.workspaces.getMember(userId),
    async (ifMatch) => {
      const saved = await api.workspaces.changeMember(userId, { role: role.peek() }, { ifMatch });
      await refreshQueries(['members']);
      toast(`${member.name} is now ${saved.role === 'viewer' ? 'a' : 'an'} ${saved.role}.`);
      return saved;
    },
  );
  const { theirs } = edit;
  return (
    <Form
      action="Save"
      submit={() => edit.run()}
      isBusy={edit.isRunning}
      problem={edit.problem}
      instead={
        theirs && (
          <Changed
            keepMine={() => void edit.keepMine()}
            takeTheirs={() => {
              role.value = theirs.role as Role;
              edit.takeTheirs();
              void refreshQueries(['members']);
            }}
          >
            The role is now “{theirs.role}”.
          </Changed>
        )
      }
    >
      <RoleField value={role} />
    </Form>
  );
}

/** Removal from the workspace, and help for a person who has lost the second factor. */
function Leave({ member: { userId, name, revision } }: { member: Types.Member }) {
  const { route } = useLocation();
  const me = useMe().data!;
  const [open, setOpen] = useState<'remove' | 'factor'>();
  const remove = useAction(async () => {
    await api.workspaces.removeMember(userId, { ifMatch: revision });
    void refreshQueries(['members']);
    route(to('/settings/members'));
  });
  const reset = useAction(async () => {
    await api.workspaces.resetMemberMfa(userId);
    toast(`The second factor of ${name} is off.`);
  });
  const close = () => setOpen(undefined);
  const isCompanyAdmin = me.user.companyRole === 'company_admin';
  return (
    <Section title="Access">
      <div class="actions">
        {isCompanyAdmin && <Button onClick={() => setOpen('factor')}>Turn off the second factor</Button>}
        <Button look="danger" onClick={() => setOpen('remove')}>
          Remove from the workspace
        </Button>
      </div>
      {open === 'remove' && (
        <Confirm
          title={`Remove “${name}”?`}
          action="Remove"
          submit={remove.run}
          isBusy={remove.isRunning}
          problem={remove.problem}
          close={close}
        >
          <p>
            {userId === me.user.id ? 'You lose' : `${name} loses`} access to this workspace, and the API keys that{' '}
            {userId === me.user.id ? 'you have' : 'this person has'} here stop working.
          </p>
        </Confirm>
      )}
      {open === 'factor' && (
        <Confirm
          title={`Turn off the second factor of “${name}”?`}
          action="Turn off"
          submit={reset.run}
          isBusy={reset.isRunning}
          problem={reset.problem}
          close={close}
        >
          <p>
            For a person who has lost the app and the recovery codes. Make sure that the request comes from them. All
            their sign-ins end.
          </p>
        </Confirm>
      )}
    </Section>
  );
}
