import { countOf } from '../../ui/format.ts';
import { jobStatus } from '../../ui/job-status.ts';
import { Status } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import type { StepRun } from './live-run.ts';
import { timeOf } from './words.ts';

interface StepTableProps {
  steps: readonly StepRun[];
  shown: StepRun | undefined;
  address: (step: StepRun) => string;
}

/** Every step, each item of a block by itself. */
export function StepTable({ steps, shown, address }: StepTableProps) {
  return <Table label="Steps" columns={columnsOf(shown, address)} rows={steps} keyOf={({ id }) => id} />;
}

const numberOr = (count: number | null) => (count === null ? '–' : countOf(count));

const columnsOf = (shown: StepRun | undefined, address: (step: StepRun) => string): readonly Column<StepRun>[] => [
  {
    id: 'step',
    label: 'Step',
    cell: (step) => (
      <a href={address(step)} aria-current={step === shown || undefined}>
        {step.stepId}
        {step.itemIndex !== null && <span class="hint"> {String(step.item)}</span>}
      </a>
    ),
  },
  { id: 'status', label: 'Status', cell: ({ status }) => <Status kind={jobStatus(status)} label={status} /> },
  { id: 'in', label: 'Rows in', isNumber: true, isMinor: true, cell: ({ rowsIn }) => numberOr(rowsIn) },
  { id: 'out', label: 'Rows out', isNumber: true, isMinor: true, cell: ({ rowsOut }) => numberOr(rowsOut) },
  { id: 'took', label: 'Took', isNumber: true, cell: (step) => timeOf(step) ?? '–' },
];
