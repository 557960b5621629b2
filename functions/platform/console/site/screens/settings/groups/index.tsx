import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAction } from '../../../data/action.ts';
import { api, type Types } from '../../../data/client.ts';
import { useList } from '../../../data/list.ts';
import { besides, issueOf } from '../../../data/problem.ts';
import { refreshQueries } from '../../../data/query.ts';
import { ListTable } from '../../../shell/list-table.tsx';
import { to } from '../../../ui/address.ts';
import { bound } from '../../../ui/bound.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Link } from '../../../ui/link.tsx';
import { Section } from '../../../ui/page.tsx';
import { Empty } from '../../../ui/states.tsx';
import type { Column } from '../../../ui/table.tsx';
import { Ago } from '../../../ui/time.tsx';
import type { PartProps } from '../part-props.ts';
import { GroupPage } from './group.tsx';

/** Groups of people, to which access is given. */
export default function Groups({ id, query: { sort = 'name' } }: PartProps) {
  if (id !== undefined) return <GroupPage id={id} />;
  return <GroupList sort={sort} />;
}

type Sort = NonNullable<NonNullable<Parameters<typeof api.groups.list>[0]>['sort']>;

function GroupList({ sort }: { sort: string }) {
  const { route } = useLocation();
  const [isMaking, setMaking] = useState(false);
  const list = useList<Types.Group>(['groups', sort], (place) => api.groups.list({ ...place, sort: sort as Sort }), {
    keepsLast: true,
  });
  return (
    <Section
      title="Groups"
      actions={
        <Button look="main" icon="plus" isSmall onClick={() => setMaking(true)}>
          New group
        </Button>
      }
    >
      <ListTable
        label="Groups"
        columns={COLUMNS}
        list={list}
        bars={4}
        keyOf={({ id }) => id}
        sort={sort}
        onSort={(next) => route(to('/settings/groups', { sort: next === 'name' ? '' : next }), true)}
      >
        <Empty icon="users" title="There is no group yet">
          Share dashboards with a group and limit its rows, instead of person by person. SCIM can manage groups too.
        </Empty>
      </ListTable>
      {isMaking && <NewGroup close={() => setMaking(false)} />}
    </Section>
  );
}

const COLUMNS: readonly Column<Types.Group>[] = [
  {
    id: 'name',
    label: 'Name',
    sort: 'name',
    cell: ({ id, name }) => <Link to={`/settings/groups/${id}`}>{name}</Link>,
  },
  { id: 'description', label: 'Description', isMinor: true, cell: ({ description }) => description },
  {
    id: 'origin',
    label: 'Managed by',
    isMinor: true,
    width: '150px',
    cell: ({ externalId, managedBy }) => (externalId ? 'identity provider' : (managedBy?.project ?? '')),
  },
  {
    id: 'changed',
    label: 'Changed',
    sort: 'updatedAt',
    isLargestFirst: true,
    isMinor: true,
    width: '130px',
    cell: ({ updatedAt }) => <Ago at={updatedAt} />,
  },
];

function NewGroup({ close }: { close: () => void }) {
  const { route } = useLocation();
  const name = useSignal('');
  const create = useAction(async () => {
    const { id } = await api.groups.create({ name: name.peek().trim() });
    void refreshQueries(['groups']);
    route(to(`/settings/groups/${id}`));
  });
  return (
    <Dialog
      title="New group"
      close={close}
      action="Create"
      submit={create.run}
      isBusy={create.isRunning}
      problem={besides(create.problem, ['name'])}
    >
      <Field label="Name" required maxLength={200} issue={issueOf(create.problem, 'name')} {...bound(name)} />
    </Dialog>
  );
}
