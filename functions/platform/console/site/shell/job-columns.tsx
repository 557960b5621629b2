import type { Types } from '../data/client.ts';
import { durationOf } from '../ui/format.ts';
import { jobStatus } from '../ui/job-status.ts';
import { Status } from '../ui/status.tsx';
import type { Column } from '../ui/table.tsx';
import { Ago } from '../ui/time.tsx';

type Job = Types.Job;

export const STATUS: Column<{ status: string }> = {
  id: 'status',
  label: 'Status',
  width: 'min(130px, 29vw)',
  cell: ({ status }) => <Status kind={jobStatus(status)} label={status} />,
};

export const TOOK: Column<{ durationMs: number | null }> = {
  id: 'took',
  label: 'Took',
  isNumber: true,
  isMinor: true,
  width: '110px',
  cell: ({ durationMs }) => (durationMs === null ? '–' : durationOf(durationMs)),
};

interface JobColumns {
  /** Beside how long it took. */
  others?: readonly Column<Job>[];
  /** What it came to, unless it failed. */
  textOf: (job: Job) => string;
}

/** The columns of the jobs of one record. */
export const jobColumns = ({ others = [], textOf }: JobColumns): readonly Column<Job>[] => [
  STATUS,
  { id: 'at', label: 'Started', width: 'min(130px, 26vw)', cell: ({ createdAt }) => <Ago at={createdAt} /> },
  TOOK,
  ...others,
  {
    id: 'by',
    label: 'Started by',
    isMinor: true,
    width: '110px',
    cell: ({ trigger }) => (trigger.kind === 'schedule' ? 'schedule' : 'a person'),
  },
  {
    id: 'what',
    label: 'What happened',
    cell: (job) => {
      const { error } = job;
      return error ? (
        <span class="two-lines" title={`${error.message} (${error.code})`}>
          {error.message}
        </span>
      ) : (
        <span class="two-lines">{textOf(job)}</span>
      );
    },
  },
];
