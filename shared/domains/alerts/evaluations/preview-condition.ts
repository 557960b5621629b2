import type { Principal } from '../../../platform/auth/principal.ts';
import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import {
  type AlertCondition,
  type AlertState,
  advance,
  checkOf,
  checkReading,
  type Edge,
  type GroupFinding,
  groupOf,
  newClassState,
  policyOf,
} from '../conditions/index.ts';
import { type AlertReadDeps, type GroupReading, type OpenedCondition, openCondition } from '../sources/index.ts';
import { errorFinding } from './answers.ts';

export interface PreviewPoint {
  at: string;
  group: string | null;
  value: number | null;
  state: AlertState;
  edges: Edge[];
}

export interface Preview {
  points: PreviewPoint[];
  fires: number;
  recovers: number;
  /** Whether the source has no past that can be read. */
  isOnlyNow: boolean;
}

const AT_ONCE = 8;

/** What evaluations at the last instants would have found. Throws what opening the condition throws. */
export async function previewCondition(
  deps: AlertReadDeps,
  principal: Principal,
  { condition, timezone, last }: { condition: AlertCondition; timezone: string; last: number },
): Promise<Preview> {
  const opened = await openCondition(deps, principal, condition, { timezone });
  const moments = await opened.past(deps, principal, last);
  const found = moments ?? [{ at: deps.now(), read: () => readNow(deps, principal, opened) }];
  const readings = new Map<number, GroupReading[] | unknown>();
  await inParallel(AT_ONCE, [...found.keys()], async (index) => {
    readings.set(index, await found[index]!.read().catch((error: unknown) => new Failed(error)));
  });
  const policy = { ...policyOf(condition, { repeatMs: null }), isSnoozed: false };
  const check = checkOf(condition, opened.target);
  const points: PreviewPoint[] = [];
  let state = newClassState();
  for (const [index, { at: instant }] of found.entries()) {
    const at = instant.toISOString();
    const given = readings.get(index);
    const findings =
      given instanceof Failed
        ? [{ group: '', finding: errorFinding(given.error), value: null }]
        : (given as GroupReading[]).map(({ group, reading, around }): GroupFinding => {
            const earlier = groupOf(state, group)?.earlier ?? [];
            const checked = checkReading(reading, check, {
              base: earlier.at(-1) ?? null,
              baseline: earlier,
              ...around,
            });
            const value = checked.kind !== 'none' ? checked.value : reading.kind === 'value' ? reading.value : null;
            return { group, finding: { kind: checked.kind }, value };
          });
    const moved = advance(state, { at, findings }, policy);
    if (!moved) continue;
    state = moved.next;
    for (const [group, { state: now, value }] of Object.entries(state.groups)) {
      const edges = moved.edges.filter((each) => each.group === group).map(({ edge }) => edge);
      points.push({ at, group: group === '' ? null : group, value, state: now, edges });
    }
  }
  const count = (edge: Edge) => points.filter(({ edges }) => edges.includes(edge)).length;
  return { points, fires: count('fire'), recovers: count('recover'), isOnlyNow: moments === null };
}

class Failed {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

const readNow = async (deps: AlertReadDeps, principal: Principal, opened: OpenedCondition): Promise<GroupReading[]> =>
  opened.interpret(await opened.readAnswer(deps, principal, deps.now()));
