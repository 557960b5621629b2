import { AppError } from '../../../platform/errors/app-error.ts';
import { DAY_MS } from '../../../platform/schedule/durations.ts';
import { later } from '../../../platform/storage/ids.ts';
import { onNewest } from '../../../platform/storage/on-newest.ts';
import { type Advance, advance, isLater, newClassState, policyOf, stepsWithoutQuery } from '../conditions/index.ts';
import {
  type AlertRecord,
  type HistoryEntry,
  MAX_CLASSES,
  type PendingEdge,
  RuleChangedError,
  repeatMsOf,
  type StoredClass,
} from '../rules/index.ts';
import { digestOf, type OpenedCondition, readerFor } from '../sources/index.ts';
import {
  type Answers,
  type ClassFindings,
  errorFinding,
  errorFindings,
  findingsOf,
  type ReasonedFinding,
} from './answers.ts';
import { classesOf, type ReaderClass } from './classes.ts';
import type { EvaluationDeps } from './deps.ts';
import { trustedFindings } from './hold-on-quality.ts';
import { notifyOfEdges } from './notify-of-edges.ts';
import type { Trigger } from './queue.ts';
import { stopRule } from './stop-rule.ts';

const MAX_READS = 5;

/**
 * Evaluates a rule for every class of its people. May be repeated and run beside itself: of each instant one evaluation
 * counts, and an instant that is not later than the newest changes nothing. Returns false if classes are left because
 * the time is over. A rule that changes meanwhile is evaluated as it is then; of one that is deleted nothing is stored.
 */
export async function evaluateRule(
  deps: EvaluationDeps & { answers: Answers },
  evaluated: Evaluated,
): Promise<boolean> {
  let { alert } = evaluated;
  for (let reads = 1; ; reads++) {
    try {
      return await evaluateClasses(deps, { ...evaluated, alert });
    } catch (error) {
      if (!(error instanceof RuleChangedError) || reads === MAX_READS) throw error;
      const found = await deps.alerts.get(alert.workspaceId, alert.id);
      if (!found) return true;
      alert = found;
    }
  }
}

async function evaluateClasses(
  deps: EvaluationDeps & { answers: Answers },
  { alert, companyId, trigger }: Evaluated,
): Promise<boolean> {
  if (!alert.isActive || alert.stopReason !== null) return true;
  const { workspaceId } = alert;
  const owner = await readerFor(deps.reading, { workspaceId, companyId, userId: alert.owner.userId });
  if (!owner || owner.membershipId !== alert.owner.membershipId) {
    await stopRule(deps, alert);
    return true;
  }
  const place = { alert, companyId, owner };
  let classes: ReaderClass[] = [];
  try {
    classes = await classesOf(deps, place);
    if (classes.length > MAX_CLASSES) throw new AppError('ALERT_TOO_MANY_CLASSES');
  } catch (error) {
    return evaluateUnreadable(deps, { alert, companyId, trigger, ownerKey: classes[0]?.key ?? NO_CLASS }, error);
  }
  for (const [index, readerClass] of classes.entries()) {
    // The next message skips those that have counted this instant, and evaluates at least one other.
    if (index > 0 && deps.isOver()) return false;
    await evaluateClass(deps, { alert, companyId, trigger, readerClass });
  }
  await endStates(deps, alert, classes, trigger);
  return true;
}

/** A class may come back, such as after a person had no access for a while: its state goes on within this time. */
const KEPT_MS = 7 * DAY_MS;

/** Removes the states of classes that no one has been of for some time. */
async function endStates(
  deps: EvaluationDeps,
  { workspaceId, id: alertId }: AlertRecord,
  classes: readonly ReaderClass[],
  { at }: Trigger,
): Promise<void> {
  const known = new Set(classes.map(({ key }) => key));
  const before = new Date(Date.parse(at) - KEPT_MS).toISOString();
  for (const state of await deps.states.list({ workspaceId, alertId })) {
    const { endedAt, classKey } = state;
    if (known.has(classKey)) {
      if (endedAt) await deps.states.setEnded(state, null);
    } else if (!endedAt) await deps.states.setEnded(state, at);
    else if (endedAt < before) await deps.states.removeEnded(state);
  }
}

interface Evaluated {
  alert: AlertRecord;
  companyId: string;
  trigger: Trigger;
}

/** The state of an owner who never saw the source. */
const NO_CLASS = 'none';

/**
 * What the owner cannot see is an error of every state that the condition has. Returns false if states are left because
 * the time is over.
 */
async function evaluateUnreadable(
  deps: EvaluationDeps,
  { ownerKey, ...evaluated }: Evaluated & { ownerKey: string },
  error: unknown,
): Promise<boolean> {
  const finding = errorFinding(error);
  const { workspaceId, id: alertId, conditionVersion } = evaluated.alert;
  const all = await deps.states.list({ workspaceId, alertId });
  const known = all.filter((state) => state.conditionVersion === conditionVersion);
  const keys = known.length > 0 ? known.map(({ classKey }) => classKey) : [ownerKey];
  const ownerKeys = newestFirst(known.filter(({ isOwners }) => isOwners)).map(({ classKey }) => classKey);
  const owners = ownerKeys[0] ?? keys[0];
  for (const [index, key] of keys.entries()) {
    if (index > 0 && deps.isOver()) return false;
    const findings = async (before: StoredClass | undefined) => errorFindings(before, finding);
    const isOwners = key === owners;
    await advanceClass(deps, { ...evaluated, key, isOwners, reads: [], asked: '', versions: null, findings });
  }
  return true;
}

/** The class of the owner changes with their rights and with the source: the state of before stays. */
const newestFirst = (states: readonly StoredClass[]): StoredClass[] =>
  states.toSorted((a, b) => (a.evaluatedAt! > b.evaluatedAt! ? -1 : 1));

async function evaluateClass(
  deps: EvaluationDeps & { answers: Answers },
  { readerClass, ...evaluated }: Evaluated & { readerClass: ReaderClass },
): Promise<void> {
  const { alert, trigger } = evaluated;
  const { key, lasting, opened, isOwners } = readerClass;
  const versions = await versionsOf(deps, alert.workspaceId, opened.datasetIds);
  const asked = digestOf(opened.key);
  const isSame = (before: StoredClass) =>
    trigger.kind !== 'manual' &&
    !opened.isRelative &&
    !hasFailed(before) &&
    before.asked === asked &&
    before.lasting === lasting &&
    isEqual(before.versions, versions);
  await advanceClass(deps, {
    ...evaluated,
    key,
    isOwners,
    reads: opened.reads,
    asked,
    versions,
    async findings(before, at) {
      if (before && isSame(before)) {
        const steps = stepsWithoutQuery(before, policyFor(alert, at));
        return steps && { findings: steps.map((each) => ({ ...each, reason: null })), lasting };
      }
      return findingsOf(deps, alert, readerClass, before, new Date(trigger.at));
    },
  });
}

const policyFor = (alert: AlertRecord, at: string) => ({
  ...policyOf(alert.condition, { repeatMs: repeatMsOf(alert.repeat) }),
  // Instants are compared, so that a snooze ends with the first one after it, however late it is evaluated.
  isSnoozed: alert.snoozedUntil !== null && at < alert.snoozedUntil,
});

/** The versions of the datasets; null if anything else is read. */
async function versionsOf(
  { reading }: EvaluationDeps,
  workspaceId: string,
  datasetIds: readonly string[] | null,
): Promise<Record<string, number> | null> {
  if (datasetIds === null) return null;
  const found = await reading.datasets.getMany(workspaceId, datasetIds);
  return found.length === datasetIds.length ? Object.fromEntries(found.map(({ id, version }) => [id, version])) : null;
}

function isEqual(one: Record<string, number> | null, other: Record<string, number> | null): boolean {
  const names = Object.keys(other ?? {});
  return (
    one !== null &&
    other !== null &&
    names.length > 0 &&
    Object.keys(one).length === names.length &&
    names.every((name) => one[name] === other[name])
  );
}

const hasFailed = ({ groups }: StoredClass): boolean => Object.values(groups).some(({ health }) => health === 'error');

/**
 * The instant that the evaluation counts as; undefined if it is not later than the newest. A version may be committed
 * after an evaluation that did not read it, although it was begun before: it counts right after that evaluation.
 */
function instantAfter(
  found: StoredClass | undefined,
  { kind, at }: Trigger,
  versions: Record<string, number> | null,
): string | undefined {
  if (!found || isLater(found, at)) return at;
  if (kind !== 'version' || versions === null || isEqual(found.versions, versions)) return undefined;
  return later(found.evaluatedAt!, new Date(at));
}

interface AdvancedClass extends Evaluated {
  key: string;
  isOwners: boolean;
  reads: OpenedCondition['reads'];
  asked: string;
  versions: Record<string, number> | null;
  /** Undefined if nothing would change. */
  findings(before: StoredClass | undefined, at: string): Promise<ClassFindings | undefined>;
}

/** Stores what follows, together with whom to notify of it; then notifies them. */
async function advanceClass(deps: EvaluationDeps, evaluated: AdvancedClass): Promise<void> {
  const { alert, companyId, trigger, key, isOwners, reads, asked, versions, findings } = evaluated;
  const { workspaceId, id: alertId, conditionVersion } = alert;
  const stored = await onNewest('STALE_WRITE', async () => {
    const found = await deps.states.read({ workspaceId, alertId }, key);
    // The rule was changed while this worker evaluated it as it was before.
    if (found && found.conditionVersion > conditionVersion) return undefined;
    const known = found?.conditionVersion === conditionVersion ? found : undefined;
    const at = instantAfter(found, trigger, versions);
    if (at === undefined) return found;
    const given = await findings(known, at);
    if (!given) return found;
    const before = known && withoutLost(known, given);
    const [state, policy] = [before ?? newClassState(), policyFor(alert, at)];
    const trusted = await trustedFindings(deps.table, { alert, reads, before: state, at, policy }, given.findings);
    // The values of before stay where the rule is held, and so do those who may see them.
    const lasting = known && trusted !== given.findings ? known.lasting : given.lasting;
    const moved = advance(state, { at, findings: trusted }, policy);
    if (!moved) return found;
    const next: StoredClass = {
      ...moved.next,
      ...{ alertId, workspaceId, classKey: key, conditionVersion, isOwners, turn: 0 },
      asked,
      versions,
      notices: before?.notices ?? {},
      pending: [...(before?.pending ?? []), ...pendingOf(moved, { at, isOwners, lasting })],
      lasting,
    };
    return deps.states.write(alert, found, next, historyOf(moved, trusted));
  });
  if (stored && stored.pending.length > 0) await notifyOfEdges(deps, { alert, companyId, state: stored });
}

/**
 * Without groups that have gone since the rows of the class are others: they may be names that the class sees no more.
 */
function withoutLost(before: StoredClass, { findings, lasting }: ClassFindings): StoredClass {
  if (before.lasting === lasting) return before;
  const found = new Set(findings.map(({ group }) => group));
  const among = <T>(groups: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(groups).filter(([group]) => found.has(group)));
  return { ...before, groups: among(before.groups), notices: among(before.notices) };
}

const pendingOf = ({ next, edges }: Advance, from: Pick<PendingEdge, 'at' | 'isOwners' | 'lasting'>): PendingEdge[] =>
  edges.map(({ group, edge, silenced = null }) => {
    const { value, error, episode, state } = next.groups[group]!;
    return { group, edge, value, error, state, episodeId: episode?.id ?? null, silenced, ...from };
  });

/** Edges, errors, and what is on the way; evaluations that changed nothing leave none. */
function historyOf({ next, edges }: Advance, findings: readonly ReasonedFinding[]): HistoryEntry[] {
  const reasons = new Map(findings.map(({ group, reason }) => [group, reason]));
  return Object.entries(next.groups).flatMap(([group, { state, value, error }]) => {
    const own = edges.filter((each) => each.group === group).map(({ edge }) => edge);
    const isOnTheWay = state === 'pending' || state === 'recovering';
    if (own.length === 0 && error === null && !isOnTheWay) return [];
    return [{ group, state, edges: own, value, reason: reasons.get(group) ?? null, error }];
  });
}
