import { isDeepStrictEqual } from 'node:util';
import type { Issue } from '../../../platform/errors/app-error.ts';
import { expandUse, type FindFlowlet } from '../flowlets/index.ts';
import { type FlowletUse, isFlowletUse } from './configs/transform-sql.ts';
import type { Dag, Step } from './dag.ts';

/** Saving a pipeline reads every flowlet that it uses. */
const MAX_FLOWLETS = 50;

/**
 * Adds the operations that each flowlet expands to, replacing any that the client sent. A retired flowlet keeps its
 * expansion from `saved`, the previous definition; a new or changed use of it is rejected.
 */
export async function expandFlowlets(
  find: FindFlowlet,
  dag: Dag,
  saved: Dag | undefined,
): Promise<{ dag: Dag; issues: Issue[] }> {
  const ids = new Set(
    dag.steps.flatMap((step) =>
      opsOf(step)
        .filter(isFlowlet)
        .map(({ flowletId }) => flowletId),
    ),
  );
  if (ids.size > MAX_FLOWLETS) {
    const message = `A pipeline can use at most ${MAX_FLOWLETS} flowlets; split it into several pipelines.`;
    return { dag, issues: [{ pointer: '/dag/steps', code: 'TOO_MANY_FLOWLETS', message }] };
  }
  const known = new Map<string, ReturnType<FindFlowlet>>();
  const findOnce: FindFlowlet = (id) => {
    const found = known.get(id) ?? find(id);
    known.set(id, found);
    return found;
  };
  const kept = saved?.steps.flatMap((step) => opsOf(step).filter(isFlowletUse)) ?? [];
  const issues: Issue[] = [];
  const steps: Step[] = [];
  for (const [index, step] of dag.steps.entries()) {
    const ops: unknown[] = [];
    for (const [position, op] of opsOf(step).entries()) {
      const expanded = isFlowlet(op)
        ? await expand(findOnce, op, kept, `/dag/steps/${index}/config/ops/${position}`)
        : { op, issues: [] };
      issues.push(...expanded.issues);
      ops.push(expanded.op);
    }
    steps.push(ops.some(isFlowlet) ? { ...step, config: { ...step.config, ops } } : step);
  }
  return { dag: { ...dag, steps }, issues };
}

const isFlowlet = (op: unknown): op is Record<string, unknown> => (op as { op?: unknown } | null)?.op === 'flowlet';

function opsOf({ type, config }: Step): unknown[] {
  return type === 'transform_sql' && Array.isArray(config.ops) ? config.ops : [];
}

async function expand(
  find: FindFlowlet,
  given: Record<string, unknown>,
  kept: readonly FlowletUse[],
  place: string,
): Promise<{ op: Record<string, unknown>; issues: Issue[] }> {
  const { version: _version, ops: _ops, ...use } = given;
  const { ops, version, issues } = await expandUse(find, use, place);
  if (issues.some(({ code }) => code === 'FLOWLET_UNKNOWN')) {
    const before = kept.find(({ version: _v, ops: _o, ...other }) => isDeepStrictEqual(other, use));
    if (before) return { op: before, issues: [] };
  }
  return { op: { ...use, version, ops }, issues };
}
