import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { api, type Types } from '../../../data/client.ts';
import { useList } from '../../../data/list.ts';
import { ListTable } from '../../../shell/list-table.tsx';
import { to } from '../../../ui/address.ts';
import { Button } from '../../../ui/button.tsx';
import { Link } from '../../../ui/link.tsx';
import { dayText } from '../../../ui/moment.ts';
import { Section } from '../../../ui/page.tsx';
import { Empty } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import { NewKey } from './new-key.tsx';
import { useServiceAccounts } from './service-accounts.tsx';

type Sort = NonNullable<NonNullable<Parameters<typeof api.apiKeys.list>[0]>['sort']>;

export function KeyList({ sort }: { sort: string }) {
  const { route } = useLocation();
  const [isMaking, setMaking] = useState(false);
  const list = useList<Types.ApiKey>(['keys', sort], (place) => api.apiKeys.list({ ...place, sort: sort as Sort }), {
    keepsLast: true,
  });
  const accounts = useServiceAccounts().items;
  const nameOf = (id: string | null) =>
    id === null ? 'you or another admin' : accounts?.find((each) => each.id === id)?.name;
  const columns: Column<Types.ApiKey>[] = [
    {
      id: 'name',
      label: 'Name',
      sort: 'name',
      cell: ({ id, name }) => <Link to={`/settings/keys/${id}`}>{name}</Link>,
    },
    { id: 'prefix', label: 'Begins with', isMinor: true, width: '130px', cell: ({ prefix }) => <code>{prefix}</code> },
    { id: 'scope', label: 'May', width: '90px', cell: ({ scope }) => scope },
    {
      id: 'actor',
      label: 'Acts for',
      isMinor: true,
      cell: ({ serviceAccountId }) => nameOf(serviceAccountId) ?? 'a service account',
    },
    {
      id: 'used',
      label: 'Last used',
      isMinor: true,
      width: '132px',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? <span class="hint">never</span> : <Ago at={lastUsedAt} />),
    },
    { id: 'expires', label: 'Valid until', width: '126px', cell: ({ expiresAt }) => <Expiry at={expiresAt} /> },
  ];
  return (
    <Section
      title="API keys"
      actions={
        <Button look="main" icon="plus" isSmall onClick={() => setMaking(true)}>
          New key
        </Button>
      }
    >
      <ListTable
        label="API keys"
        columns={columns}
        list={list}
        bars={3}
        keyOf={({ id }) => id}
        sort={sort}
        onSort={(next) => route(to('/settings/keys', { sort: next === '-createdAt' ? '' : next }), true)}
      >
        <Empty icon="key" title="There is no API key yet">
          Programs call the API with a key. Give each program its own key, with only the rights that it needs.
        </Empty>
      </ListTable>
      {isMaking && <NewKey close={() => setMaking(false)} />}
    </Section>
  );
}

export function Expiry({ at }: { at: string | null }) {
  if (at === null) return <span>no end</span>;
  const day = dayText(at);
  return Date.parse(at) < Date.now() ? <span class="hint">expired {day}</span> : <span>{day}</span>;
}
