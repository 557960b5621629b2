import { useEffect, useState } from 'preact/hooks';
import { useAction } from '../../data/action.ts';
import { api, type Types } from '../../data/client.ts';
import type { Dataset } from '../../data/datasets.ts';
import { hasRole, useMe } from '../../data/me.ts';
import { problemOf } from '../../data/problem.ts';
import { refreshQueries, useQuery } from '../../data/query.ts';
import { jobColumns } from '../../shell/job-columns.tsx';
import { Button } from '../../ui/button.tsx';
import { Count } from '../../ui/count.tsx';
import { counted, countOf } from '../../ui/format.ts';
import { Empty, Failed, Issue, Loading } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';

type Job = Types.Job;

const MAX = 200;
const SOON_MS = 2_000;
const LATER_MS = 15_000;

const isOpen = ({ status }: Job): boolean => status === 'queued' || status === 'running';

/** What reading the source again and again came to, newest first. */
export function Refreshes({ dataset: { id, source } }: { dataset: Dataset }) {
  const [everyMs, setEvery] = useState(LATER_MS);
  const { data, error, refresh } = useQuery(
    ['datasets', id, 'history'],
    async () => (await api.datasets.listHistory(id, { limit: MAX })).items,
    { everyMs },
  );
  const open = data?.find(isOpen);
  const lastEnd = data?.find((job) => !isOpen(job))?.id;
  useEffect(() => setEvery(open ? SOON_MS : LATER_MS), [open]);
  // Its rows and versions are others now.
  useEffect(() => {
    if (lastEnd !== undefined) void refreshQueries(['datasets', id]);
  }, [id, lastEnd]);
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={6} />;
  if (data.length === 0) {
    return (
      <Empty icon="refresh-cw" title="There are no refreshes yet">
        {source ? 'A refresh reads the source again.' : 'Pipelines load this dataset: see their runs.'}
      </Empty>
    );
  }
  return (
    <>
      {open && <Running id={id} job={open} />}
      <Table label="Refreshes" columns={COLUMNS} rows={data} keyOf={(job) => job.id} />
    </>
  );
}

function Running({ id, job: { status, progress } }: { id: string; job: Job }) {
  const canCancel = hasRole(useMe().data, 'editor');
  const cancel = useAction(async () => {
    await api.datasets.cancelRefresh(id);
    await refreshQueries(['datasets', id]);
  });
  const rows = progress?.rows === undefined ? '' : `: ${counted(progress.rows, 'row')} so far`;
  return (
    <div class="open-refresh" role="status">
      <Status kind="running" label={status === 'queued' ? 'The refresh is queued' : `The refresh is running${rows}`} />
      {canCancel && (
        <Button isSmall isBusy={cancel.isRunning} onClick={() => void cancel.run()}>
          Cancel the refresh
        </Button>
      )}
      <Issue problem={cancel.problem} />
    </div>
  );
}

const ROWS: Column<Job> = {
  id: 'rows',
  label: 'Rows read',
  isNumber: true,
  isMinor: true,
  width: '120px',
  cell: ({ result }) => (typeof result?.rowsLoaded === 'number' ? <Count of={result.rowsLoaded} /> : '–'),
};

/** Which values could not be kept. */
function whatChanged({ result }: Job): string {
  const changed = (result?.changedValues ?? []) as Types.ChangedValues[];
  return changed
    .map(({ column, nulls, rounded }) => {
      const parts = [
        nulls > 0 && `${counted(nulls, 'value')} became null`,
        rounded > 0 && `${countOf(rounded)} rounded`,
      ];
      return `${column}: ${parts.filter(Boolean).join(', ')}`;
    })
    .join('; ');
}

const COLUMNS = jobColumns({ others: [ROWS], textOf: whatChanged });
