import type { Dataset, DatasetMarks } from '../../data/datasets.ts';
import { Count } from '../../ui/count.tsx';
import { bytesOf, scoreOf } from '../../ui/format.ts';
import { Link } from '../../ui/link.tsx';
import { Mark } from '../../ui/mark.tsx';
import { scheduleInWords } from '../../ui/schedule.ts';
import { Status } from '../../ui/status.tsx';
import type { Column } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';

/** The columns of the list. Marks are read after the list. */
export const columnsOf = (marks: DatasetMarks | undefined): readonly Column<Dataset>[] => [
  {
    id: 'name',
    label: 'Name',
    sort: 'name',
    cell: ({ id, name }) => (
      <span class="named">
        <Link to={`/datasets/${id}`}>{name}</Link>
        {marks?.certified.has(id) && <Mark kind="certified" />}
        {marks?.deprecated.has(id) && <Mark kind="deprecated" />}
      </span>
    ),
  },
  {
    id: 'rows',
    label: 'Rows',
    sort: 'rowCount',
    isLargestFirst: true,
    isNumber: true,
    width: 'min(110px, 28vw)',
    cell: ({ rowCount }) => <Count of={rowCount} />,
  },
  {
    id: 'size',
    label: 'Size',
    sort: 'sizeBytes',
    isLargestFirst: true,
    isNumber: true,
    isMinor: true,
    width: '100px',
    cell: ({ sizeBytes }) => bytesOf(sizeBytes),
  },
  {
    id: 'loaded',
    label: 'Loaded',
    sort: 'loadedAt',
    isLargestFirst: true,
    width: 'min(146px, 35vw)',
    cell: (dataset) => <Loaded dataset={dataset} isStale={marks?.stale.has(dataset.name) === true} />,
  },
  {
    id: 'schedule',
    label: 'Schedule',
    isMinor: true,
    width: '196px',
    cell: ({ schedule }) => (schedule ? scheduleInWords(schedule) : <span class="hint">–</span>),
  },
  {
    id: 'quality',
    label: 'Quality',
    isMinor: true,
    isNumber: true,
    width: '90px',
    cell: ({ name }) => <Score score={marks?.scores.get(name)?.score} />,
  },
];

function Loaded({ dataset: { loadedAt, lastRefresh }, isStale }: { dataset: Dataset; isStale: boolean }) {
  if (lastRefresh?.status === 'failed') return <Status kind="failed" label="refresh failed" />;
  if (loadedAt === null) return <span class="hint">not yet</span>;
  return (
    <span class={isStale ? 'two-lines late' : 'two-lines'}>
      <Ago at={loadedAt} />
      {isStale && ' (late)'}
    </span>
  );
}

/** From 0 to 100; without tests there is none. */
const Score = ({ score }: { score: number | null | undefined }) =>
  score === null || score === undefined ? <span class="hint">–</span> : <span>{scoreOf(score)}</span>;
