import { api, type Types } from '../../../data/client.ts';
import { problemOf } from '../../../data/problem.ts';
import { useQuery } from '../../../data/query.ts';
import { Link } from '../../../ui/link.tsx';
import { Section } from '../../../ui/page.tsx';
import { Empty, Failed, Loading } from '../../../ui/states.tsx';
import { Status } from '../../../ui/status.tsx';
import { type Column, Table } from '../../../ui/table.tsx';

export const useProviders = () => useQuery(['providers'], () => api.identityProviders.list());

export function Providers() {
  const { data, error, refresh } = useProviders();
  return (
    <Section
      title="Identity providers"
      actions={
        <Link to="/settings/sign-on/new" class="button main small">
          Add a provider
        </Link>
      }
    >
      {!data && (error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={2} />)}
      {data?.items.length === 0 && (
        <Empty icon="key" title="There is no identity provider yet">
          With one, people sign in with the account of your company, by OpenID Connect or SAML.
        </Empty>
      )}
      {data && data.items.length > 0 && (
        <Table label="Identity providers" columns={COLUMNS} rows={data.items} keyOf={({ id }) => id} />
      )}
    </Section>
  );
}

export const TYPES: Readonly<Record<string, string>> = { oidc: 'OpenID Connect', saml: 'SAML' };

const COLUMNS: readonly Column<Types.IdentityProvider>[] = [
  { id: 'name', label: 'Name', cell: ({ id, name }) => <Link to={`/settings/sign-on/${id}`}>{name}</Link> },
  { id: 'type', label: 'Type', isMinor: true, width: '150px', cell: ({ type }) => TYPES[type] ?? type },
  {
    id: 'domains',
    label: 'Domains',
    isMinor: true,
    cell: ({ domains }) =>
      domains.map(({ name, verified }) => (verified ? name : `${name} (not verified)`)).join(', ') || 'none',
  },
  {
    id: 'state',
    label: 'Status',
    width: '110px',
    cell: ({ enabled }) => <Status kind={enabled ? 'succeeded' : 'waiting'} label={enabled ? 'on' : 'off'} />,
  },
];
