import type { Node, Plan } from '../definition/index.ts';
import { nodeInputs } from '../definition/index.ts';
import type { StepOutput, StoredRun, StoredStep } from '../store/index.ts';
import { planOf, type RunContext, readSteps, STAGING_PREFIX } from '../store/index.ts';

/** Step outputs expire after this time. */
const OUTPUT_RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/** Whether a node is not repeated when its run is retried; `repeated` are those that are repeated in any case. */
export const isKeptOnRetry = (step: StoredStep | undefined, repeated: ReadonlySet<number>): boolean =>
  step !== undefined &&
  !repeated.has(step.index) &&
  (step.status === 'succeeded' || (step.status === 'skipped' && step.skipReason !== 'upstream_failed'));

/** The nodes of a step, for all its items, and everything that depends on them. */
export function nodesFrom(plan: Plan, stepId: string | undefined): Set<number> {
  const found = new Set(plan.nodes.filter((node) => node.stepId === stepId).map(({ index }) => index));
  for (const index of found) for (const next of plan.nodes[index]!.feeds) found.add(next);
  return found;
}

/**
 * Whether outputs that a retry of the run would read may have expired. A retry does not repeat succeeded steps, so
 * their outputs may be older than the last end of the run; unused outputs do not matter.
 */
export async function haveInputsExpired(context: RunContext, run: StoredRun, fromStep?: string): Promise<boolean> {
  const since = context.now().getTime() - OUTPUT_RETENTION_MS;
  const isOld = (at: string | undefined) => at !== undefined && Date.parse(at) < since;
  if (isOld(run.finishedAt!)) return true;
  const [dag, plan, steps] = await Promise.all([
    context.dags.get(run.workspaceId, run.dagHash),
    planOf(context, run),
    readSteps(context.table, run.workspaceId, run.id),
  ]);
  const stored = new Map(steps.map((step) => [step.index, step]));
  const repeated = nodesFrom(plan, fromStep);
  const isKept = (index: number) => isKeptOnRetry(stored.get(index), repeated);
  const open = plan.nodes.filter(({ kind, index }) => kind === 'step' && !isKept(index));
  const inputsOf = (node: Node) => nodeInputs(dag, plan, node).flatMap(({ indexes }) => indexes);
  const read = new Set(open.flatMap(inputsOf));
  // Fused rows are computed again from what was stored before them.
  for (const index of read) {
    if (stored.get(index)?.output?.fused) for (const before of inputsOf(plan.nodes[index]!)) read.add(before);
  }
  return steps.some((step) => isOld(storedAt(step, read.has(step.index))));
}

/** When a step stored something that a retry reads: its rows, or the boundary of a watermark that must still move. */
function storedAt({ status, output, finishedAt }: StoredStep, isRead: boolean): string | undefined {
  if (status !== 'succeeded' || !output) return undefined;
  return (isRead && filesOf(output).some((key) => key.startsWith(STAGING_PREFIX))) || output.watermark?.boundaryObject
    ? finishedAt
    : undefined;
}

const filesOf = ({ files, ports = {} }: StepOutput): string[] =>
  [{ files }, ...Object.values(ports)].flatMap((rows) => rows.files.map(({ key }) => key));
