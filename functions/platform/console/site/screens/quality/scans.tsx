import { api } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { problemOf } from '../../data/problem.ts';
import { nameOfTable, type ScanSchedule } from '../../data/quality.ts';
import { Icon } from '../../ui/icon.tsx';
import { Link } from '../../ui/link.tsx';
import { scheduleInWords } from '../../ui/schedule.ts';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Until } from '../../ui/time.tsx';

const columnsFor = (canEdit: boolean): readonly Column<ScanSchedule>[] => [
  {
    id: 'table',
    label: 'Table',
    cell: (schedule) =>
      canEdit ? <Link to={`/quality/scans/${schedule.id}`}>{nameOfTable(schedule)}</Link> : nameOfTable(schedule),
  },
  {
    id: 'when',
    label: 'Schedule',
    width: '34%',
    cell: (schedule) => (
      <span class="two-lines" title={scansInWords(schedule)}>
        {scansInWords(schedule)}
      </span>
    ),
  },
  {
    id: 'next',
    label: 'Next scan',
    isMinor: true,
    width: '140px',
    cell: ({ nextScanAt }) => (nextScanAt === null ? '–' : <Until at={nextScanAt} />),
  },
];

export const scansInWords = ({ cron, timezone, scheduleEnabled }: ScanSchedule): string =>
  scheduleInWords({ cron, timezone, enabled: scheduleEnabled });

/** Which tables are scanned on a schedule, and when. */
export function Scans({ canEdit }: { canEdit: boolean }) {
  const list = useList<ScanSchedule>(['quality', 'scans'], (place) => api.quality.listScanSchedules({ ...place }));
  const { items, error } = list;
  if (!items) return error ? <Failed problem={problemOf(error)} retry={list.refresh} /> : <Loading rows={6} />;
  const add = canEdit && (
    <Link to="/quality/scans/new" class="button">
      <Icon name="plus" size={16} />
      Schedule scans
    </Link>
  );
  if (items.length === 0) {
    return (
      <Empty icon="clock" title="There are no scheduled scans yet" action={add}>
        Scheduled scans find what is unusual about the rows of a table, and suggest tests.
      </Empty>
    );
  }
  return (
    <>
      {add && <div class="actions">{add}</div>}
      <Table label="Scan schedules" columns={columnsFor(canEdit)} list={list} keyOf={({ id }) => id} />
    </>
  );
}
