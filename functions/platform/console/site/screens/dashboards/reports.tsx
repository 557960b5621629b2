import { useLocation } from 'preact-iso/router';
import { useCertified } from '../../data/certified.ts';
import { api, type Types } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { useNames } from '../../data/members.ts';
import { ListTable } from '../../shell/list-table.tsx';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { counted, countOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import type { Column } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { Certified } from './certified-mark.tsx';
import { ListTabs } from './list-tabs.tsx';

type Sort = NonNullable<NonNullable<Parameters<typeof api.reports.list>[0]>['sort']>;

/** All reports that the person may see. */
export default function Reports({ query: { q = '', sort = '-updatedAt' } }: ScreenProps) {
  const { route } = useLocation();
  const list = useList<Types.ReportSummary>(
    ['reports', 'list', q, sort],
    (place) => api.reports.list({ ...place, sort: sort as Sort, ...(q && { search: q }) }),
    { keepsLast: true },
  );
  const canCreate = hasRole(useMe().data, 'editor');
  const certified = useCertified('report');
  const names = useNames();
  const go = (change: object) => {
    const next = { q, sort, ...change };
    route(to('/dashboards/reports', { q: next.q, sort: next.sort === '-updatedAt' ? '' : next.sort }), true);
  };
  const { total } = list;
  return (
    <Page
      title="Reports"
      lead={total !== undefined && `${counted(total, 'report')}${q ? ' found' : ''}`}
      actions={
        canCreate && (
          <Link to="/dashboards/reports/new" class="button main">
            <Icon name="plus" size={16} />
            New report
          </Link>
        )
      }
    >
      <ListTabs current="/dashboards/reports" />
      <SearchField label="Search reports" value={q} onSearch={(text) => go({ q: text })} />
      <ListTable
        label="Reports"
        columns={columnsOf(certified, names)}
        list={list}
        bars={8}
        keyOf={({ id }) => id}
        sort={sort}
        onSort={(next) => go({ sort: next })}
      >
        <Empty icon="file" title={q ? 'No report matches' : 'There are no reports yet'}>
          {q
            ? 'Try a part of the name.'
            : 'A report is a document with texts, charts and parameters, to read, download and send.'}
        </Empty>
      </ListTable>
    </Page>
  );
}

const columnsOf = (
  certified: ReadonlySet<string>,
  names: ReadonlyMap<string, string> | undefined,
): readonly Column<Types.ReportSummary>[] => [
  {
    id: 'name',
    label: 'Name',
    sort: 'name',
    cell: ({ id, name, description }) => (
      <span class="named" title={description || name}>
        <Link to={`/dashboards/reports/${id}`}>{name}</Link>
        {certified.has(id) && <Certified />}
      </span>
    ),
  },
  {
    id: 'status',
    label: 'Status',
    width: '130px',
    cell: ({ isPublished }) =>
      isPublished ? <Status kind="succeeded" label="published" /> : <Status kind="skipped" label="draft" />,
  },
  {
    id: 'owner',
    label: 'Owner',
    isMinor: true,
    width: '180px',
    cell: ({ ownerId }) => names?.get(ownerId) ?? <span class="hint">–</span>,
  },
  {
    id: 'blocks',
    label: 'Blocks',
    isMinor: true,
    isNumber: true,
    width: '90px',
    cell: ({ blockCount }) => countOf(blockCount),
  },
  {
    id: 'changed',
    label: 'Changed',
    sort: 'updatedAt',
    isLargestFirst: true,
    isMinor: true,
    width: '140px',
    cell: ({ updatedAt }) => <Ago at={updatedAt} />,
  },
];
