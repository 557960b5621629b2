import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useCertified } from '../../data/certified.ts';
import { api, type Types } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { useNames } from '../../data/members.ts';
import { ListTable } from '../../shell/list-table.tsx';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { SelectField } from '../../ui/field.tsx';
import { counted } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty } from '../../ui/states.tsx';
import { columnsOf } from './list-columns.tsx';
import { ListTabs } from './list-tabs.tsx';
import { DIALOGS, type Opened } from './record-dialogs.tsx';

const SHOWN = [
  ['all', 'all'],
  ['published', 'published'],
  ['draft', 'drafts'],
  ['review', 'in review'],
  ['shared', 'shared with me'],
] as const;

const CHOICES: Readonly<Record<string, object>> = {
  published: { publishedOnly: true },
  draft: { stage: 'draft' },
  review: { stage: 'review' },
  shared: { scope: 'shared' },
};

type Sort = NonNullable<NonNullable<Parameters<typeof api.dashboards.list>[0]>['sort']>;

/** All dashboards that the person may see. */
export default function Dashboards({ query: { q = '', show = 'all', sort = '-updatedAt' } }: ScreenProps) {
  const { route } = useLocation();
  const canCreate = hasRole(useMe().data, 'editor');
  const [opened, open] = useState<Opened | undefined>(undefined);
  const isShared = show === 'shared';
  const list = useList<Types.DashboardSummary>(
    ['dashboards', 'list', q, show, sort],
    (place) => {
      const common = { include: 'viewerMeta' as const, ...(q && { search: q }), ...CHOICES[show], ...place };
      return isShared ? api.dashboards.page(common) : api.dashboards.list({ ...common, sort: sort as Sort });
    },
    { keepsLast: true },
  );
  const certified = useCertified('dashboard');
  const names = useNames();
  const go = (change: object) => {
    const next = { q, show, sort, ...change };
    const usual = { show: 'all', sort: '-updatedAt' } as Record<string, string>;
    const given = Object.entries(next).filter(([name, value]) => usual[name] !== value);
    route(to('/dashboards', Object.fromEntries(given)), true);
  };
  const { total } = list;
  const isNarrowed = q !== '' || show !== 'all';
  return (
    <Page
      title="Dashboards"
      lead={total !== undefined && `${counted(total, 'dashboard')}${isNarrowed ? ' found' : ''}`}
      actions={
        canCreate && (
          <Link to="/dashboards/new" class="button main">
            <Icon name="plus" size={16} />
            New dashboard
          </Link>
        )
      }
    >
      <ListTabs current="/dashboards" />
      <div class="filters">
        <SearchField label="Search dashboards" value={q} onSearch={(text) => go({ q: text })} />
        <SelectField label="Show" value={show} onChange={({ currentTarget }) => go({ show: currentTarget.value })}>
          {SHOWN.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      </div>
      <ListTable
        label="Dashboards"
        columns={columnsOf({ certified, names, open })}
        list={list}
        bars={8}
        keyOf={({ id }) => id}
        {...(!isShared && { sort, onSort: (next: string) => go({ sort: next }) })}
      >
        <None isNarrowed={isNarrowed} canCreate={canCreate} />
      </ListTable>
      {opened && <OpenedDialog opened={opened} close={() => open(undefined)} />}
    </Page>
  );
}

function OpenedDialog({ opened: { kind, dashboard }, close }: { opened: Opened; close: () => void }) {
  const Dialog = DIALOGS[kind];
  return <Dialog dashboard={dashboard} close={close} />;
}

const None = ({ isNarrowed, canCreate }: { isNarrowed: boolean; canCreate: boolean }) =>
  isNarrowed ? (
    <Empty icon="layout-dashboard" title="No dashboard matches">
      Try a part of the name, or show all dashboards.
    </Empty>
  ) : (
    <Empty
      icon="layout-dashboard"
      title="There are no dashboards yet"
      action={
        canCreate && (
          <Link to="/dashboards/new" class="button">
            Make the first one
          </Link>
        )
      }
    >
      {canCreate
        ? 'A dashboard shows charts, tables and numbers beside each other. A file dropped on the home page makes one, too.'
        : 'Dashboards appear here once an editor has published one.'}
    </Empty>
  );
