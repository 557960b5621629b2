import { useLocation } from 'preact-iso/router';
import { api, type Types } from '../../../data/client.ts';
import { useList } from '../../../data/list.ts';
import type { Role } from '../../../data/me.ts';
import { ListTable } from '../../../shell/list-table.tsx';
import { to } from '../../../ui/address.ts';
import { SelectField } from '../../../ui/field.tsx';
import { counted } from '../../../ui/format.ts';
import { Link } from '../../../ui/link.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';

type Sort = NonNullable<NonNullable<Parameters<typeof api.workspaces.listMembers>[0]>['sort']>;

export function MemberList({ query: { search = '', role = '', sort = 'name' } }: { query: Record<string, string> }) {
  const { route } = useLocation();
  const list = useList<Types.Member>(
    ['members', search, role, sort],
    (place) =>
      api.workspaces.listMembers({
        ...place,
        sort: sort as Sort,
        ...(search && { search }),
        ...(role && { role: role as Role }),
      }),
    { keepsLast: true },
  );
  const show = (change: Record<string, string>) => {
    const next = { search, role, sort, ...change };
    route(to('/settings/members', { ...next, sort: next.sort === 'name' ? '' : next.sort }), true);
  };
  const { total } = list;
  return (
    <>
      <div class="tools">
        <SearchField label="Search by name or email" value={search} onSearch={(text) => show({ search: text })} />
        <SelectField label="Role" value={role} onChange={({ currentTarget }) => show({ role: currentTarget.value })}>
          <option value="">all</option>
          <option value="viewer">viewers</option>
          <option value="editor">editors</option>
          <option value="admin">admins</option>
        </SelectField>
        {total !== undefined && <p class="hint">{counted(total, 'person', 'people')}</p>}
      </div>
      <ListTable
        label="Members"
        columns={COLUMNS}
        list={list}
        bars={4}
        keyOf={({ userId }) => userId}
        sort={sort}
        onSort={(next) => show({ sort: next })}
      >
        <p class="hint">No member matches.</p>
      </ListTable>
    </>
  );
}

const COLUMNS: readonly Column<Types.Member>[] = [
  {
    id: 'name',
    label: 'Name',
    sort: 'name',
    cell: ({ userId, name }) => <Link to={`/settings/members/${userId}`}>{name}</Link>,
  },
  {
    id: 'email',
    label: 'Email',
    sort: 'email',
    isMinor: true,
    cell: ({ email }) => <span title={email}>{email}</span>,
  },
  { id: 'role', label: 'Role', width: '100px', cell: ({ role }) => role },
  {
    id: 'joined',
    label: 'Joined',
    sort: 'joinedAt',
    isLargestFirst: true,
    isMinor: true,
    width: '150px',
    cell: ({ joinedAt }) => <Ago at={joinedAt} />,
  },
];
