import { api } from '../../data/client.ts';
import { type Digest, stateOf } from '../../data/digests.ts';
import { useList } from '../../data/list.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { ListTable } from '../../shell/list-table.tsx';
import { counted, countOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { scheduleInWords } from '../../ui/schedule.ts';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import type { Column } from '../../ui/table.tsx';
import { Until } from '../../ui/time.tsx';

const COLUMNS: readonly Column<Digest>[] = [
  { id: 'name', label: 'Name', cell: ({ id, name }) => <Link to={`/metrics/digests/${id}`}>{name}</Link> },
  {
    id: 'metrics',
    label: 'Metrics',
    isNumber: true,
    isMinor: true,
    width: '90px',
    cell: ({ metricIds }) => countOf(metricIds.length),
  },
  {
    id: 'recipients',
    label: 'Recipients',
    isNumber: true,
    isMinor: true,
    width: '110px',
    cell: ({ recipientIds }) => countOf(recipientIds.length),
  },
  {
    id: 'when',
    label: 'When',
    isMinor: true,
    width: '22%',
    cell: (digest) => <span title={scheduleInWords(digest)}>{scheduleInWords(digest)}</span>,
  },
  {
    id: 'next',
    label: 'Next',
    isMinor: true,
    width: '142px',
    cell: ({ nextAt }) => (nextAt === null ? '–' : <Until at={nextAt} />),
  },
  {
    id: 'status',
    label: 'Status',
    width: '120px',
    cell: (digest) => (
      <span title={stateOf(digest).label}>
        <Status kind={stateOf(digest).kind} label={digest.status} />
      </span>
    ),
  },
];

/** Metrics by email on a schedule. */
export default function Digests() {
  const canMake = hasRole(useMe().data, 'editor');
  const list = useList<Digest>(['metrics', 'digests'], (place) => api.metrics.listDigests({ ...place }));
  const { items, total } = list;
  const make = canMake && (
    <Link to="/metrics/digests/new" class="button main">
      <Icon name="plus" size={16} />
      New digest
    </Link>
  );
  return (
    <Page
      title="Digests"
      lead={total !== undefined && total > 0 && counted(total, 'digest')}
      actions={items !== undefined && items.length > 0 && make}
    >
      <ListTable label="Digests" columns={COLUMNS} list={list} bars={5} keyOf={({ id }) => id}>
        <Empty icon="gauge" title="There are no digests yet" action={make}>
          A digest sends metrics by email on a schedule. Each recipient gets the numbers that they may see.
        </Empty>
      </ListTable>
    </Page>
  );
}
