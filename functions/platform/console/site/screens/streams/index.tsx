import { useLocation } from 'preact-iso/router';
import { api } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { ListTable } from '../../shell/list-table.tsx';
import type { ScreenProps } from '../../shell/screen.ts';
import { to } from '../../ui/address.ts';
import { SelectField } from '../../ui/field.tsx';
import { bytesOf, counted, countOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import type { Column } from '../../ui/table.tsx';
import { EVERY_MS, lagText, STATUSES, type Stream, streamStatus, useSources } from './streams.ts';

type Query = NonNullable<Parameters<typeof api.cdcStreams.list>[0]>;

/** The streams that follow tables of databases. */
export default function Streams({ query: { status = '', source = '' } }: ScreenProps) {
  const { route } = useLocation();
  const canEdit = hasRole(useMe().data, 'editor');
  const filters = { ...(status && { status }), ...(source && { sourceId: source }) } as Query;
  const list = useList<Stream>(['streams', 'list', filters], (place) => api.cdcStreams.list({ ...filters, ...place }), {
    everyMs: EVERY_MS,
    keepsLast: true,
  });
  const { total } = list;
  const sources = useSources().data;
  const show = (change: Record<string, string>) => route(to('/streams', { status, source, ...change }), true);
  const isFiltered = Boolean(status || source);
  const create = canEdit && (
    <Link to="/streams/new" class="button main">
      <Icon name="plus" size={16} />
      New stream
    </Link>
  );
  return (
    <Page
      title="Streams"
      actions={total !== 0 && create}
      lead={total !== undefined && total > 0 && counted(total, 'stream')}
    >
      <div class="filters">
        <SelectField label="Status" value={status} onChange={({ currentTarget: { value } }) => show({ status: value })}>
          <option value="">all</option>
          {STATUSES.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </SelectField>
        <SelectField label="Source" value={source} onChange={({ currentTarget: { value } }) => show({ source: value })}>
          <option value="">all</option>
          {[...(sources?.values() ?? [])].map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      <ListTable
        label="Streams"
        columns={columnsOf((id) => sources?.get(id)?.name)}
        list={list}
        bars={6}
        keyOf={({ id }) => id}
      >
        <Empty
          icon="radio"
          title={isFiltered ? 'No stream matches' : 'There are no streams yet'}
          action={!isFiltered && create}
        >
          {isFiltered
            ? 'Choose another status or another source.'
            : 'A stream follows tables of a Postgres database: a snapshot first, then every change, which pipelines read.'}
        </Empty>
      </ListTable>
    </Page>
  );
}

const columnsOf = (nameOf: (sourceId: string) => string | undefined): readonly Column<Stream>[] => [
  { id: 'name', label: 'Stream', cell: ({ id, streamId }) => <Link to={`/streams/${id}`}>{streamId}</Link> },
  {
    id: 'status',
    label: 'Status',
    width: '140px',
    cell: ({ status }) => <Status kind={streamStatus(status)} label={status} />,
  },
  { id: 'lag', label: 'Lag', width: '110px', isNumber: true, cell: lagText },
  {
    id: 'source',
    label: 'Source',
    isMinor: true,
    width: '22%',
    cell: ({ sourceId }) =>
      nameOf(sourceId) ? <Link to={`/sources/${sourceId}`}>{nameOf(sourceId)}</Link> : <span class="hint">–</span>,
  },
  {
    id: 'tables',
    label: 'Tables',
    isMinor: true,
    isNumber: true,
    width: '90px',
    cell: ({ tables }) => countOf(tables.length),
  },
  {
    id: 'log',
    label: 'Log kept',
    isMinor: true,
    isNumber: true,
    width: '120px',
    cell: ({ retainedWalBytes }) => (retainedWalBytes === null ? '–' : bytesOf(retainedWalBytes)),
  },
  {
    id: 'error',
    label: 'Error',
    isMinor: true,
    width: '16%',
    cell: ({ error, tables }) => {
      const code = error?.code ?? tables.find((table) => table.error)?.error?.code;
      return code && <code title={code}>{code}</code>;
    },
  },
];
