import { api, type Types } from '../../data/client.ts';
import { useList } from '../../data/list.ts';
import { TOOK } from '../../shell/job-columns.tsx';
import { ListTable } from '../../shell/list-table.tsx';
import { Cause, RUN_COLUMNS } from '../../shell/run-columns.tsx';
import { Link } from '../../ui/link.tsx';
import { Empty } from '../../ui/states.tsx';
import type { Column } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';

const EVERY_MS = 5_000;

const COLUMNS: readonly Column<Types.Run>[] = [
  {
    id: 'created',
    label: 'Created',
    cell: ({ id, createdAt, error }) => (
      <>
        <Link to={`/runs/${id}`}>
          <Ago at={createdAt} />
        </Link>
        <Cause error={error} />
      </>
    ),
  },
  // Beside a time, a phone has room for it.
  ...RUN_COLUMNS.map((column) => (column === TOOK ? { ...column, isMinor: false } : column)),
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
