import { api, type Types } from '../../data/client.ts';
import { triggerText } from '../../data/pipelines.ts';
import { problemOf } from '../../data/problem.ts';
import { useQuery } from '../../data/query.ts';
import { Link } from '../../ui/link.tsx';
import { Empty, Failed, Loading } from '../../ui/states.tsx';
import { Status, type StatusKind } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Ago } from '../../ui/time.tsx';

type Start = Types.TriggerRecord;

const SHOWN = 100;
const KINDS: Readonly<Record<string, StatusKind>> = { started: 'succeeded', skipped: 'skipped', refused: 'failed' };

const REASONS: Readonly<Record<string, string>> = {
  RUN_OVERLAP: 'another run was active',
  PIPELINE_PAUSED: 'the pipeline was paused',
  QUEUE_FULL: 'too many runs were waiting',
  RATE_LIMITED: 'too many runs had started within the minute',
  ALLOWANCE_EXHAUSTED: 'the monthly allowance was used up',
  RUN_PARAMETERS_INVALID: 'its parameters had no valid values',
};

const COLUMNS: readonly Column<Start>[] = [
  { id: 'at', label: 'At', width: '130px', cell: ({ at }) => <Ago at={at} /> },
  { id: 'kind', label: 'By', width: '160px', isMinor: true, cell: ({ kind }) => triggerText(kind) },
  {
    id: 'outcome',
    label: 'Outcome',
    cell: ({ outcome, reason }) => (
      <>
        <Status kind={KINDS[outcome] ?? 'waiting'} label={outcome} />
        {reason && <span class="hint"> {REASONS[reason] ?? reason}</span>}
      </>
    ),
  },
  {
    id: 'run',
    label: 'Run',
    isMinor: true,
    width: '80px',
    cell: ({ runId }) => runId && <Link to={`/runs/${runId}`}>Run</Link>,
  },
];

/** What became of each occasion to start by itself. */
export function StartHistory({ pipelineId }: { pipelineId: string }) {
  const { data, error, refresh } = useQuery(
    ['pipelines', pipelineId, 'starts'],
    () => api.pipelines.listTriggers(pipelineId, { limit: SHOWN }),
    { everyMs: 15_000 },
  );
  if (!data) return error ? <Failed problem={problemOf(error)} retry={refresh} /> : <Loading rows={3} />;
  if (data.items.length === 0)
    return (
      <Empty title="It has not started by itself yet">
        Schedules, files, other pipelines and calls of the URL are listed here, also those that started no run.
      </Empty>
    );
  const keyed = data.items.map((start, index) => ({ ...start, key: String(index) }));
  return <Table label="Automatic starts" columns={COLUMNS} rows={keyed} keyOf={({ key }) => key} />;
}
