import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { type AlertRecord, isDueAt } from '../rules/index.ts';
import { openCondition, readerFor } from '../sources/index.ts';
import { sharedAnswers } from './answers.ts';
import type { EvaluationDeps } from './deps.ts';
import { evaluateRule } from './evaluate-rule.ts';
import { notifyOfEdges } from './notify-of-edges.ts';
import type { AlertMessage, Trigger } from './queue.ts';
import { spreadRefreshes } from './spread-refreshes.ts';
import { wakePerson } from './wake-person.ts';

const AT_ONCE = 8;
/** Rules of different sources that one message is about. */
const RULES_AT_ONCE = 25;

/** Works on a message of the queue. Every message may come twice, late, and after its rule has ended. */
export async function workOnAlerts(deps: EvaluationDeps, message: AlertMessage): Promise<void> {
  const { workspaceId } = message;
  const workspace = await deps.workspace(workspaceId);
  if (!workspace) return;
  const { companyId } = workspace;
  switch (message.op) {
    case 'due':
      return divide(deps, companyId, await dueRules(deps, message), { kind: 'schedule', at: message.at });
    case 'version': {
      const trigger = { kind: 'version', at: message.at } as const;
      const reading = await readingRules(deps, companyId, message);
      return divide(deps, companyId, await spreadRefreshes(deps, reading, trigger), trigger);
    }
    case 'evaluate': {
      const alerts = await deps.alerts.getMany(workspaceId, message.alertIds);
      return evaluateAll(deps, companyId, alerts, message.trigger);
    }
    case 'woke': {
      const { alertId, userId } = message;
      const alert = await deps.alerts.get(workspaceId, alertId);
      return alert && wakePerson(deps, { alert, companyId, userId });
    }
    default: {
      const { alertId, classKey } = message;
      const [alert, state] = await Promise.all([
        deps.alerts.get(workspaceId, alertId),
        deps.states.read({ workspaceId, alertId }, classKey),
      ]);
      if (alert && state) return notifyOfEdges(deps, { alert, companyId, state });
      // The rule was deleted while its people were notified: the tick would announce its state for ever.
      if (state) await deps.states.remove({ workspaceId, alertId }, classKey);
    }
  }
}

async function dueRules(deps: EvaluationDeps, { workspaceId, at }: { workspaceId: string; at: string }) {
  const instant = new Date(at);
  const all = await deps.alerts.readAll(workspaceId);
  // A schedule that has changed since does not have the instant.
  return all.filter((alert) => isDueAt(alert, instant));
}

/** The rules that are evaluated after new versions, and read the dataset. Each source is looked up once. */
async function readingRules(
  deps: EvaluationDeps,
  companyId: string,
  { workspaceId, datasetId }: { workspaceId: string; datasetId: string },
): Promise<AlertRecord[]> {
  const all = await deps.alerts.readAll(workspaceId);
  const waiting = all.filter(({ onRefresh, isActive, stopReason }) => onRefresh && isActive && stopReason === null);
  const sources = [...Map.groupBy(waiting, sourceOf).values()];
  const found: AlertRecord[] = [];
  await inParallel(AT_ONCE, sources, async (alerts) => {
    if (await isReading(deps, companyId, alerts, datasetId)) found.push(...alerts);
  });
  return found;
}

/** As the first of the owners who may see the source sees it. */
async function isReading(
  deps: EvaluationDeps,
  companyId: string,
  alerts: readonly AlertRecord[],
  datasetId: string,
): Promise<boolean> {
  for (const { workspaceId, owner, condition, timezone } of alerts) {
    const reader = await readerFor(deps.reading, { workspaceId, companyId, userId: owner.userId });
    // The evaluation reports a rule whose owner has left, or whose source is gone.
    if (!reader) return true;
    try {
      const { datasetIds } = await openCondition(deps.reading, reader, condition, { timezone });
      return datasetIds?.includes(datasetId) ?? false;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
  return true;
}

/** Equal for rules that may share an answer. */
function sourceOf({ condition, timezone }: AlertRecord): string {
  if (condition.kind === 'metric') return condition.metricId;
  return JSON.stringify([condition.source, timezone]);
}

/** Rules of one source stay together, because they share answers; the sources are divided among messages. */
async function divide(
  deps: EvaluationDeps,
  companyId: string,
  alerts: readonly AlertRecord[],
  trigger: Trigger,
): Promise<void> {
  const parts: AlertRecord[][] = [];
  for (const ofSource of Map.groupBy(alerts, sourceOf).values()) {
    const last = parts.at(-1);
    if (last && last.length + ofSource.length <= RULES_AT_ONCE) last.push(...ofSource);
    else parts.push([...ofSource]);
  }
  const [first, ...others] = parts;
  if (!first) return;
  await leave(deps, others, trigger);
  await evaluateAll(deps, companyId, first, trigger);
}

const leave = (deps: EvaluationDeps, parts: readonly AlertRecord[][], trigger: Trigger): Promise<void> =>
  deps.queue.send(
    parts.map((part) => {
      const { workspaceId } = part[0]!;
      const alertIds = part.map(({ id }) => id);
      return { message: { op: 'evaluate', workspaceId, alertIds, trigger }, delaySeconds: 0 };
    }),
  );

/** A rule that fails does not stop the others; the message comes again for it. */
async function evaluateAll(
  deps: EvaluationDeps,
  companyId: string,
  alerts: readonly AlertRecord[],
  trigger: Trigger,
): Promise<void> {
  const answers = sharedAnswers(deps.reading);
  const left: AlertRecord[] = [];
  const failures: Error[] = [];
  await inParallel(AT_ONCE, alerts, async (alert) => {
    if (deps.isOver()) {
      left.push(alert);
      return;
    }
    try {
      const isWhole = await evaluateRule({ ...deps, answers }, { alert, companyId, trigger });
      if (!isWhole) left.push(alert);
    } catch (error) {
      deps.report(error as Error, alert.id);
      failures.push(error as Error);
    }
  });
  if (left.length > 0) await leave(deps, [left], trigger);
  if (failures.length > 0) throw new Error(`${failures.length} alerts could not be evaluated`, { cause: failures[0] });
}
