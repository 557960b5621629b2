import type { Types } from '../data/client.ts';
import { triggerText } from '../data/pipelines.ts';
import { causeText } from '../data/run-causes.ts';
import { Count } from '../ui/count.tsx';
import type { Column } from '../ui/table.tsx';
import { STATUS, TOOK } from './job-columns.tsx';

/** The columns of runs, beside the one that leads to them. */
export const RUN_COLUMNS: readonly Column<Types.Run>[] = [
  STATUS,
  {
    id: 'trigger',
    label: 'Started by',
    isMinor: true,
    width: '150px',
    cell: ({ trigger: { kind } }) => triggerText(kind),
  },
  TOOK,
  {
    id: 'rows',
    label: 'Rows loaded',
    isNumber: true,
    isMinor: true,
    width: '130px',
    cell: ({ rowsMoved }) => <Count of={rowsMoved} />,
  },
];

interface CauseProps extends Pick<Types.Run, 'error'> {
  /** Left out on phones. */
  isMinor?: boolean;
}

/** Why a run failed, below what leads to it. */
export const Cause = ({ error, isMinor }: CauseProps) =>
  error && (
    <span class={isMinor ? 'under spare' : 'under'} title={`${error.message} (${error.code})`}>
      {causeText(error)}
    </span>
  );
