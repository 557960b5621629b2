import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import { useList } from '../../../data/list.ts';
import { useMe } from '../../../data/me.ts';
import { refreshQueries } from '../../../data/query.ts';
import { ListTable } from '../../../shell/list-table.tsx';
import { to } from '../../../ui/address.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { counted } from '../../../ui/format.ts';
import { Section } from '../../../ui/page.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import type { Column } from '../../../ui/table.tsx';
import { toast } from '../../../ui/toast.tsx';

type Person = Types.CompanyMember;

/** Everyone with an account of the company, and who are its admins. */
export function People({ query: { search = '', role = '' } }: { query: Readonly<Record<string, string>> }) {
  const { route } = useLocation();
  const [changing, setChanging] = useState<Person>();
  const list = useList<Person>(
    ['company', 'people', search, role],
    (place) =>
      api.company.listMembers({
        ...place,
        sort: 'name',
        ...(search && { search }),
        ...(role && { companyRole: role as 'member' }),
      }),
    { keepsLast: true },
  );
  const show = (change: Record<string, string>) => route(to('/settings/company', { search, role, ...change }), true);
  const columns: readonly Column<Person>[] = [
    { id: 'name', label: 'Name', cell: ({ name, email }) => <span title={email}>{name || email}</span> },
    { id: 'email', label: 'Email', isMinor: true, cell: ({ email }) => <span title={email}>{email}</span> },
    {
      id: 'role',
      label: 'Company role',
      width: '130px',
      cell: ({ companyRole, active }) => `${isAdmin(companyRole) ? 'admin' : 'member'}${active ? '' : ', inactive'}`,
    },
    {
      id: 'actions',
      label: 'Actions',
      width: '130px',
      cell: (person) => (
        <Button isSmall onClick={() => setChanging(person)}>
          {isAdmin(person.companyRole) ? 'Make member' : 'Make admin'}
          <span class="sr"> {person.name || person.email}</span>
        </Button>
      ),
    },
  ];
  const { total } = list;
  return (
    <Section title="People of the company">
      <p class="hint">
        Admins of the company manage its sign-on, licence and workspaces. What people may do in a workspace depends on
        their role there.
      </p>
      <div class="tools">
        <SearchField label="Search by name or email" value={search} onSearch={(text) => show({ search: text })} />
        <SelectField label="Show" value={role} onChange={({ currentTarget }) => show({ role: currentTarget.value })}>
          <option value="">everyone</option>
          <option value="company_admin">admins of the company</option>
          <option value="member">others</option>
        </SelectField>
        {total !== undefined && <p class="hint">{counted(total, 'person', 'people')}</p>}
      </div>
      <ListTable label="People of the company" columns={columns} list={list} bars={4} keyOf={({ userId }) => userId}>
        <p class="hint">No person matches.</p>
      </ListTable>
      {changing && <ChangeRole person={changing} close={() => setChanging(undefined)} />}
    </Section>
  );
}

const isAdmin = (companyRole: string): boolean => companyRole === 'company_admin';

/** Rights of a whole company are not given, or taken, by one press. */
function ChangeRole({ person: { userId, name, email, companyRole }, close }: { person: Person; close: () => void }) {
  const me = useMe().data!;
  const next = isAdmin(companyRole) ? 'member' : 'company_admin';
  const called = name || email;
  const change = useAction(async () => {
    await api.company.changeMember(userId, { companyRole: next });
    await Promise.all([refreshQueries(['company', 'people']), refreshQueries(['me'])]);
    toast(
      next === 'member' ? `${called} is no longer an admin of the company.` : `${called} is an admin of the company.`,
    );
  });
  return (
    <Dialog
      title={
        next === 'member' ? `Remove ${called} as an admin of the company?` : `Make ${called} an admin of the company?`
      }
      close={close}
      action={next === 'member' ? 'Make member' : 'Make admin'}
      submit={change.run}
      isBusy={change.isRunning}
      isDanger={next === 'member'}
      problem={change.problem}
    >
      <p>
        {next === 'member'
          ? `${userId === me.user.id ? 'You keep your' : 'They keep their'} workspaces and roles there, and can no longer manage sign-on, licence and workspaces.`
          : 'They can change sign-on and licence, create and delete workspaces, and make other people admins.'}
      </p>
    </Dialog>
  );
}
