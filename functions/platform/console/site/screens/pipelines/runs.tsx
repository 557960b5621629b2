import { api, type Types } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { triggerText } from '../../data/pipelines.ts';
import { ListTable } from '../../shell/list-table.tsx';
import { Count } from '../../ui/count.tsx';
import { durationOf } from '../../ui/format.ts';
import { jobStatus } from '../../ui/job-status.ts';
import { Link } from '../../ui/link.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import type { Column } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';

const EVERY_MS = 5_000;

const COLUMNS: readonly Column<Types.Run>[] = [
  {
    id: 'created',
    label: 'Created',
    cell: ({ id, createdAt }) => (
      <Link to={`/runs/${id}`}>
        <Ago at={createdAt} />
      </Link>
    ),
  },
  {
    id: 'status',
    label: 'Status',
    width: '130px',
    cell: ({ status }) => <Status kind={jobStatus(status)} label={status} />,
  },
  {
    id: 'trigger',
    label: 'Started by',
    isMinor: true,
    width: '150px',
    cell: ({ trigger: { kind } }) => triggerText(kind),
  },
  {
    id: 'took',
    label: 'Took',
    isNumber: true,
    width: '110px',
    cell: ({ durationMs }) => (durationMs === null ? '–' : durationOf(durationMs)),
  },
  {
    id: 'rows',
    label: 'Rows loaded',
    isNumber: true,
    isMinor: true,
    width: '130px',
    cell: ({ rowsMoved }) => <Count of={rowsMoved} />,
  },
  { id: 'error', label: 'Error', isMinor: true, width: '22%', cell: ({ error }) => error && <code>{error.code}</code> },
];

/** The runs of a pipeline, newest first. */
export function Runs({ pipelineId }: { pipelineId: string }) {
  const list = useList<Types.Run>(['runs', { pipelineId }], (place) => api.runs.listAll({ pipelineId, ...place }), {
    everyMs: EVERY_MS,
  });
  return (
    <ListTable label="Runs" columns={COLUMNS} list={list} bars={6} keyOf={({ id }) => id}>
      <Empty icon="play" title="This pipeline has not run yet">
        Each start appears here as a run.
      </Empty>
    </ListTable>
  );
}
