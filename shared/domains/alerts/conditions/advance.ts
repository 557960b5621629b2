import { MAX_BASELINE } from '../../../data/statistics/robust-baseline.ts';
import { type Edge, type Finding, type InstanceState, newInstance, type StatePolicy, step } from './state-machine.ts';

/** How often a condition fired and recovered in silence. */
export interface Silenced {
  fires: number;
  recovers: number;
}

/** The state of one group; of the whole rule where it has no groups. */
export interface GroupState extends InstanceState {
  /** The newest value, and the earlier ones that it is compared with, oldest first. */
  value: number | null;
  earlier: number[];
  /** What the newest value meant. */
  found: Exclude<Finding['kind'], 'error'> | null;
  changedAt: string;
  /** What a snooze has silenced; null if nothing. */
  silenced: Silenced | null;
}

/** The states of a rule for one class of row rights, by the key of the group; `''` without groups. */
export interface ClassState {
  /** The newest evaluated instant; null before the first. */
  evaluatedAt: string | null;
  groups: Record<string, GroupState>;
}

export const newClassState = (): ClassState => ({ evaluatedAt: null, groups: {} });

/** Names of groups are any text, also `constructor`. */
export const groupOf = ({ groups }: Pick<ClassState, 'groups'>, group: string): GroupState | undefined =>
  Object.hasOwn(groups, group) ? groups[group] : undefined;

/** What an evaluation found for one group. */
export interface GroupFinding {
  group: string;
  finding: Finding;
  value: number | null;
}

export interface Advance {
  next: ClassState;
  /** `woke` with what it sums up. */
  edges: { group: string; edge: Edge; silenced?: Silenced | null }[];
}

/** An evaluation for an instant that is not later than the newest is dropped: doubled and late ones change nothing. */
export const isLater = ({ evaluatedAt }: Pick<ClassState, 'evaluatedAt'>, at: string): boolean =>
  evaluatedAt === null || at > evaluatedAt;

export interface AdvancePolicy extends StatePolicy {
  /** Edges are kept back until the first evaluation after the snooze. */
  isSnoozed: boolean;
}

/**
 * The states after an evaluation; undefined if it is not later than the newest. A group without rows has no value. A
 * finding for the group `''` of a rule with groups, such as an error of the query, is one for all groups.
 */
export function advance(
  before: ClassState,
  { at, findings }: { at: string; findings: readonly GroupFinding[] },
  policy: AdvancePolicy,
): Advance | undefined {
  if (!isLater(before, at)) return undefined;
  const edges: Advance['edges'] = [];
  const groups = new Map<string, GroupState>();
  for (const { group, finding, value } of complete(before, findings)) {
    const previous = groupOf(before, group) ?? newGroup(at);
    const moved = step(previous, finding, at, policy);
    const kept = withSnooze(previous, moved, policy);
    edges.push(
      ...kept.edges.map((edge) => (edge === 'woke' ? { group, edge, silenced: kept.summed } : { group, edge })),
    );
    const next = {
      ...kept.next,
      ...valuesAfter(previous, finding, value),
      changedAt: kept.next.state === previous.state ? previous.changedAt : at,
    };
    if (group === '' || !isForgotten(next)) groups.set(group, next);
  }
  return { next: { evaluatedAt: at, groups: Object.fromEntries(groups) }, edges };
}

const newGroup = (at: string): GroupState => ({
  ...newInstance(at),
  ...{ value: null, earlier: [], found: null, changedAt: at, silenced: null },
});

function complete(before: ClassState, findings: readonly GroupFinding[]): GroupFinding[] {
  const known = Object.keys(before.groups);
  const [only] = findings;
  const groups = known.filter((group) => group !== '');
  // What holds for the whole query holds for each group.
  if (findings.length === 1 && only!.group === '' && groups.length > 0)
    return groups.map((group) => ({ ...only!, group }));
  const found = new Set(findings.map(({ group }) => group));
  const gone = groups.filter((group) => !found.has(group));
  return [...findings, ...gone.map((group): GroupFinding => ({ group, finding: { kind: 'none' }, value: null }))];
}

/** A group that has gone and of which there is nothing to say. */
const isForgotten = ({ state, found, health }: GroupState): boolean =>
  (state === 'ok' || state === 'unknown') && found === 'none' && health === 'no_data';

const LOUD: readonly Edge[] = ['fire', 'repeat', 'recover'];

/** What was silenced before, and these edges. */
export const silencedWith = (before: Silenced | null, edges: readonly Edge[]): Silenced => ({
  fires: (before?.fires ?? 0) + edges.filter((edge) => edge === 'fire').length,
  recovers: (before?.recovers ?? 0) + edges.filter((edge) => edge === 'recover').length,
});

function withSnooze(
  { silenced }: GroupState,
  { next, edges }: { next: InstanceState; edges: Edge[] },
  { isSnoozed }: AdvancePolicy,
): { next: InstanceState & Pick<GroupState, 'silenced'>; edges: Edge[]; summed: Silenced | null } {
  const loud = edges.filter((edge) => LOUD.includes(edge));
  const others = edges.filter((edge) => !LOUD.includes(edge));
  const all = loud.length > 0 ? silencedWith(silenced, loud) : silenced;
  if (isSnoozed) return { next: { ...next, silenced: all }, edges: others, summed: null };
  const awake = { ...next, silenced: null };
  return silenced ? { next: awake, edges: [...others, 'woke'], summed: all } : { next: awake, edges, summed: null };
}

function valuesAfter(
  previous: GroupState,
  finding: Finding,
  value: number | null,
): Pick<GroupState, 'value' | 'earlier' | 'found'> {
  if (finding.kind === 'error') return { value: previous.value, earlier: previous.earlier, found: previous.found };
  const earlier = value === null ? previous.earlier : [...previous.earlier, value].slice(-MAX_BASELINE);
  return { value, earlier, found: finding.kind };
}

/**
 * The findings to go on with while the data has not changed: those of before. Undefined if nothing would change, so
 * that nothing need be written.
 */
export function stepsWithoutQuery(
  { groups }: ClassState,
  { repeatMs, noData, isSnoozed }: AdvancePolicy,
): GroupFinding[] | undefined {
  const all = Object.entries(groups);
  const moves = ({ state, found, silenced }: GroupState): boolean => {
    if (found === null) return true;
    if (silenced && !isSnoozed) return true;
    if (found === 'none' && noData === 'keep') return false;
    return state === 'pending' || state === 'recovering' || (state === 'triggered' && repeatMs !== null);
  };
  if (!all.some(([, group]) => moves(group))) return undefined;
  return all.map(([group, { found, value }]) => ({ group, finding: { kind: found ?? 'none' }, value }));
}
