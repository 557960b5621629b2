import type { Types } from '../data/client.ts';
import { durationOf } from '../ui/format.ts';
import { jobStatus } from '../ui/job-status.ts';
import { Status } from '../ui/status.tsx';
import type { Column } from '../ui/table.tsx';
import { Ago } from '../ui/time.tsx';

type Job = Types.Job;

interface JobColumns {
  /** Beside how long it took. */
  others?: readonly Column<Job>[];
  /** What it came to, unless it failed. */
  textOf: (job: Job) => string;
}

/** The columns of the jobs of one record. */
export const jobColumns = ({ others = [], textOf }: JobColumns): readonly Column<Job>[] => [
  {
    id: 'status',
    label: 'Result',
    width: '140px',
    cell: ({ status }) => <Status kind={jobStatus(status)} label={status} />,
  },
  { id: 'at', label: 'Started', width: '140px', cell: ({ createdAt }) => <Ago at={createdAt} /> },
  {
    id: 'took',
    label: 'Took',
    isNumber: true,
    isMinor: true,
    width: '110px',
    cell: ({ durationMs }) => (durationMs === null ? '–' : durationOf(durationMs)),
  },
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
      const text = job.error ? `${job.error.message} (${job.error.code})` : textOf(job);
      return <span title={text}>{text}</span>;
    },
  },
];
