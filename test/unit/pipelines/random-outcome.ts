import type { ForEach, Step } from '../../../shared/domains/pipelines/definition/dag.ts';
import { dependenciesOf } from '../../../shared/domains/pipelines/definition/dag.ts';
import type { SkipReason } from '../../../shared/domains/pipelines/definition/plan.ts';
import {
  FAILING,
  fileRows,
  isLow,
  LANE,
  LOW_PORT,
  type RandomDefinition,
  rowsMadeBy,
  WANTED,
} from './random-definitions.ts';

/** What one instance of a step comes to when nothing goes wrong but what is meant to. */
export interface ExpectedStep {
  stepId: string;
  itemIndex: number | null;
  status: 'succeeded' | 'failed' | 'skipped';
  skipReason: SkipReason | null;
  rows: string[];
}

export interface ExpectedRun {
  status: 'succeeded' | 'failed';
  steps: Map<string, ExpectedStep>;
  /** What the run adds to the dataset. */
  loaded: string[];
}

export const instanceKey = (stepId: string, itemIndex: number | null): string => `${stepId}#${itemIndex ?? ''}`;

/**
 * The outcome of a run by the words of the guide alone, without the plan that runs are made from. Whether an extract
 * found its file is a matter of time; `found` says so.
 */
export function expectedRun(
  { ordered, dag }: RandomDefinition,
  run: { id: string; parameters: Record<string, unknown> },
  found: (stepId: string) => boolean,
): ExpectedRun {
  const steps = new Map<string, ExpectedStep>();
  const blockOf = (id: string) => dag.forEach?.find((block) => block.steps.includes(id));
  const itemsOf = (block: ForEach) => (Array.isArray(block.items) ? block.items : run.parameters.items) as string[];
  const instancesOf = (id: string) => [...steps.values()].filter(({ stepId }) => stepId === id);
  /** The instances that stand before an instance on one of its edges. */
  const before = (id: string, block: ForEach | undefined, itemIndex: number | null) =>
    instancesOf(id).filter((one) => blockOf(id) !== block || !block || one.itemIndex === itemIndex);
  const rowsOf = (step: Step, id: string, itemIndex: number | null): string[] => {
    const rows = before(id, blockOf(step.id), itemIndex).flatMap((one) => one.rows);
    const port = step.fromPorts?.[id];
    return port === undefined ? rows : rows.filter((row) => isLow(row) === (port === LOW_PORT));
  };

  for (const step of ordered) {
    const block = blockOf(step.id);
    const items = block ? itemsOf(block) : [''];
    const places: (number | null)[] = block && items.length > 0 ? [...items.keys()] : [null];
    for (const itemIndex of places) {
      const edges = dependenciesOf(step).map((id) => before(id, block, itemIndex));
      const skipReason = skipReasonOf(isWanted(step, run.parameters), items.length === 0, edges);
      const fails = step.config.sql === FAILING || (step.type === 'extract' && !found(step.id));
      const status = statusOf(skipReason, fails);
      const rows =
        status === 'succeeded' ? madeBy(step, run.id, items[itemIndex ?? 0]!, (id) => rowsOf(step, id, itemIndex)) : [];
      steps.set(instanceKey(step.id, itemIndex), { stepId: step.id, itemIndex, status, skipReason, rows });
    }
  }
  const all = [...steps.values()];
  const loads = new Set(ordered.flatMap(({ id, type }) => (type === 'load' ? [id] : [])));
  return {
    status: all.some(isFailure) ? 'failed' : 'succeeded',
    steps,
    loaded: all.flatMap(({ stepId, rows }) => (loads.has(stepId) ? rows : [])),
  };
}

function skipReasonOf(
  isWanted: boolean,
  isEmpty: boolean,
  edges: readonly (readonly ExpectedStep[])[],
): SkipReason | null {
  if (!isWanted) return 'when_false';
  if (isEmpty) return 'empty_items';
  if (edges.some((edge) => edge.some(isFailure))) return 'upstream_failed';
  const succeeded = edges.some((edge) => edge.some(({ status }) => status === 'succeeded'));
  return edges.length > 0 && !succeeded ? 'upstream_skipped' : null;
}

function statusOf(skipReason: SkipReason | null, fails: boolean): ExpectedStep['status'] {
  if (skipReason) return 'skipped';
  return fails ? 'failed' : 'succeeded';
}

const isFailure = ({ status, skipReason }: ExpectedStep) => status === 'failed' || skipReason === 'upstream_failed';

function madeBy(step: Step, runId: string, item: string, rowsOf: (id: string) => string[]): string[] {
  switch (step.type) {
    case 'extract':
      return fileRows((step.config.object as { path: string }).path);
    case 'route':
    case 'load':
      return rowsOf(step.config.input as string);
    default:
      return rowsMadeBy(step.id, runId, item, Object.values(step.config.inputs as Record<string, string>).map(rowsOf));
  }
}

function isWanted({ when }: Step, parameters: Record<string, unknown>): boolean {
  if (!when) return true;
  const holds = when.param === LANE ? parameters[LANE] === 'fast' : parameters[WANTED] === true;
  return when.op === 'truthy' || when.op === 'in' ? holds : !holds;
}
