import { useLocation } from 'preact-iso/router';
import { api } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { addressOfSource, SOURCE_TYPES, type Source, type SourceType, useLastSync } from '../../data/sources.ts';
import { ListTable } from '../../shell/list-table.tsx';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { SelectField } from '../../ui/field.tsx';
import { counted } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { jobStatus } from '../../ui/job-status.ts';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { scheduleInWords } from '../../ui/schedule.ts';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import type { Column } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';
import { iconOf } from './icon-of.ts';

type Sort = NonNullable<NonNullable<Parameters<typeof api.dataSources.list>[0]>['sort']>;

/** Where data comes from. */
export default function Sources({ query: { type = '', sort = '-createdAt' } }: ScreenProps) {
  const { route } = useLocation();
  const isAdmin = hasRole(useMe().data, 'admin');
  const list = useList<Source>(['sources', type, sort], (place) =>
    api.dataSources.list({ ...place, sort: sort as Sort, ...(type && { type: type as SourceType as never }) }),
  );
  const show = (change: { type?: string; sort?: string }) => {
    const next = { type, sort, ...change };
    route(to('/sources', { type: next.type, sort: next.sort === '-createdAt' ? '' : next.sort }), true);
  };
  const { total } = list;
  const connect = isAdmin && (
    <Link to="/sources/new" class="button main">
      <Icon name="plus" size={16} />
      Connect a database
    </Link>
  );
  return (
    <Page title="Files & sources" actions={connect} lead={total !== undefined && counted(total, 'source')}>
      <div class="filters">
        <SelectField label="Type" value={type} onChange={({ currentTarget }) => show({ type: currentTarget.value })}>
          <option value="">all</option>
          {Object.entries(SOURCE_TYPES).map(([key, label]) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </SelectField>
      </div>
      <ListTable
        label="Sources"
        columns={COLUMNS}
        list={list}
        bars={6}
        keyOf={({ id }) => id}
        sort={sort}
        onSort={(next) => show({ sort: next })}
      >
        <Empty icon="database" title={type ? 'There is no source of this type' : 'There is no source yet'}>
          {isAdmin
            ? 'Connect a database, a bucket or a web service, or drop a file on the home page.'
            : 'Drop a file on the home page, or ask an admin to connect a database.'}
        </Empty>
      </ListTable>
    </Page>
  );
}

const COLUMNS: readonly Column<Source>[] = [
  {
    id: 'name',
    label: 'Name',
    sort: 'name',
    cell: ({ id, name, type }) => (
      <span class="named">
        <Icon name={iconOf(type)} label={SOURCE_TYPES[type] ?? type} />
        <Link to={`/sources/${id}`}>{name}</Link>
      </span>
    ),
  },
  { id: 'type', label: 'Type', isMinor: true, width: '150px', cell: ({ type }) => SOURCE_TYPES[type] ?? type },
  {
    id: 'address',
    label: 'Address',
    isMinor: true,
    width: '26%',
    cell: (source) => <span title={addressOfSource(source)}>{addressOfSource(source)}</span>,
  },
  { id: 'sync', label: 'Catalog read', width: '140px', cell: ({ id }) => <LastSync id={id} /> },
  {
    id: 'schedule',
    label: 'Schedule',
    isMinor: true,
    width: '190px',
    cell: ({ schedule }) => (schedule ? scheduleInWords(schedule) : <span class="hint">–</span>),
  },
];

function LastSync({ id }: { id: string }) {
  const { data, error } = useLastSync(id);
  if (data === undefined) return error ? <span class="hint">unknown</span> : <span class="pending" />;
  if (data === null) return <span class="hint">never</span>;
  if (data.status === 'succeeded') return <Ago at={data.finishedAt ?? data.createdAt} />;
  return <Status kind={jobStatus(data.status)} label={data.status} />;
}
