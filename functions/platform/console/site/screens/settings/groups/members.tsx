import { useState } from 'preact/hooks';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import { useList } from '../../../data/list.ts';
import { refreshQueries, useQuery } from '../../../data/query.ts';
import { ListTable } from '../../../shell/list-table.tsx';
import { Button } from '../../../ui/button.tsx';
import { Combobox } from '../../../ui/combobox.tsx';
import { Link } from '../../../ui/link.tsx';
import { Section } from '../../../ui/page.tsx';
import { Issue } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';

const MAX_OPTIONS = 10;

/** Who belongs to the group. */
export function GroupMembers({ id }: { id: string }) {
  const key = ['groups', id, 'members'];
  const list = useList<Types.GroupMember>(key, ({ limit, cursor }) =>
    api.groups.listMembers(id, { limit, ...(cursor !== undefined && { cursor }) }),
  );
  const [text, setText] = useState('');
  const found = useQuery(
    ['members', 'found', text],
    () => api.workspaces.listMembers({ search: text, limit: MAX_OPTIONS }),
    { enabled: text.trim().length > 0, keepsLast: true },
  ).data?.items;
  const add = useAction(async (userId: string) => {
    await api.groups.addMember(id, userId);
    setText('');
    await refreshQueries(key);
  });
  const remove = useAction(async (userId: string) => {
    await api.groups.removeMember(id, userId);
    await refreshQueries(key);
  });
  const columns: Column<Types.GroupMember>[] = [
    {
      id: 'name',
      label: 'Name',
      cell: ({ userId, name }) => <Link to={`/settings/members/${userId}`}>{name}</Link>,
    },
    { id: 'email', label: 'Email', isMinor: true, cell: ({ email }) => <span title={email}>{email}</span> },
    { id: 'role', label: 'Role', isMinor: true, width: '90px', cell: ({ role }) => role },
    {
      id: 'actions',
      label: 'Actions',
      width: '110px',
      cell: ({ userId, name }) => (
        <Button isSmall aria-label={`Remove ${name}`} onClick={() => void remove.run(userId)}>
          Remove
        </Button>
      ),
    },
  ];
  return (
    <Section title="Members">
      <div class="form">
        <Combobox
          label="Add a member"
          hint="Type a name or an email address."
          text={text}
          type={setText}
          options={
            text.trim()
              ? (found ?? []).map(({ userId, name, email }) => ({ id: userId, label: name, hint: email }))
              : []
          }
          choose={(option) => void add.run(option.id)}
        />
      </div>
      <Issue problem={add.problem ?? remove.problem} />
      <ListTable label="Members of the group" columns={columns} list={list} bars={3} keyOf={({ userId }) => userId}>
        <p class="hint">The group has no members yet.</p>
      </ListTable>
    </Section>
  );
}
