import { useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { api, type Types } from '../../../data/client.ts';
import { issueOf, problemOf } from '../../../data/problem.ts';
import { refreshQueries, useQuery } from '../../../data/query.ts';
import { useEdit } from '../../../data/versioned.ts';
import { DeleteSection } from '../../../shell/delete-record.tsx';
import { RecordForm } from '../../../shell/record-form.tsx';
import { to } from '../../../ui/address.ts';
import { bound } from '../../../ui/bound.ts';
import { differencesOf } from '../../../ui/differences.ts';
import { Field, TextField } from '../../../ui/field.tsx';
import { Link } from '../../../ui/link.tsx';
import { Section } from '../../../ui/page.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import { GroupMembers } from './members.tsx';

export function GroupPage({ id }: { id: string }) {
  const { route } = useLocation();
  const { data: group, error, refresh } = useQuery(['groups', 'one', id], () => api.groups.get(id));
  if (!group) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={4} />;
  return (
    <>
      <Section title={group.name} actions={<Link to="/settings/groups">All groups</Link>}>
        {group.externalId !== null && (
          <p class="hint">An identity provider manages this group: it overwrites the name and the members.</p>
        )}
        <GroupForm key={group.revision} group={group} />
      </Section>
      <GroupMembers id={id} />
      <DeleteSection
        noun="group"
        what={`“${group.name}”`}
        remove={async () => {
          await api.groups.delete(id, { ifMatch: group.revision });
          void refreshQueries(['groups']);
          route(to('/settings/groups'));
        }}
      >
        Its members lose the access that the group has. The people stay in the workspace.
      </DeleteSection>
    </>
  );
}

function GroupForm({ group }: { group: Types.Group }) {
  const { id } = group;
  const name = useSignal(group.name);
  const description = useSignal(group.description);
  const draft = () => ({ name: name.peek().trim(), description: description.peek().trim() });
  const edit = useEdit(
    group,
    () => api.groups.get(id),
    async (ifMatch) => {
      const saved = await api.groups.update(id, draft(), { ifMatch });
      await refreshQueries(['groups']);
      toast('The group is saved.');
      return saved;
    },
  );
  return (
    <RecordForm
      action="Save"
      saving={edit}
      fields={['name', 'description']}
      differences={(theirs) => differencesOf(theirs, draft(), { name: 'Name', description: 'Description' })}
      take={(theirs) => {
        name.value = theirs.name;
        description.value = theirs.description;
      }}
    >
      <Field label="Name" required maxLength={200} issue={issueOf(edit.problem, 'name')} {...bound(name)} />
      <TextField label="Description" rows={2} issue={issueOf(edit.problem, 'description')} {...bound(description)} />
    </RecordForm>
  );
}
