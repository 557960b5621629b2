import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import { tries } from '../../../platform/concurrency/tries.ts';
import { type AlertRecord, REFRESH_GAP_MS, type Refresh, refreshTimes } from '../rules/index.ts';
import type { EvaluationDeps } from './deps.ts';
import type { Trigger } from './queue.ts';

const AT_ONCE = 8;
const RULES_AT_ONCE = 25;

/**
 * The rules that are evaluated now after a new version. One that was evaluated a short time ago is evaluated again when
 * the gap is over, however many versions there are until then: that evaluation reads the newest one.
 */
export async function spreadRefreshes(
  deps: EvaluationDeps,
  alerts: readonly AlertRecord[],
  trigger: Trigger,
): Promise<AlertRecord[]> {
  const due: AlertRecord[] = [];
  let left = alerts;
  for await (const _try of tries()) {
    const found = await takeTimes(deps, left);
    due.push(...found.due);
    for (const planned of found.planned) await plan(deps, planned, trigger);
    left = found.lost;
    if (left.length === 0) return due;
  }
  throw new Error(`other workers change the times of ${left.length} alerts again and again`);
}

interface Planned {
  at: string;
  delaySeconds: number;
  rules: { alert: AlertRecord; before: Refresh }[];
}

/** Marks the rules that are due. A worker that dies afterwards gets the message again, and plans them. */
async function takeTimes(
  { table }: EvaluationDeps,
  alerts: readonly AlertRecord[],
): Promise<{ due: AlertRecord[]; planned: Planned[]; lost: AlertRecord[] }> {
  const refreshes = refreshTimes(table);
  const last = await refreshes.read(alerts);
  const now = table.now();
  const due: AlertRecord[] = [];
  const lost: AlertRecord[] = [];
  const planned = new Map<string, Planned>();
  await inParallel(AT_ONCE, alerts, async (alert) => {
    const before = last.get(alert.id);
    const next = new Date(before ? Date.parse(before.at) + REFRESH_GAP_MS : now);
    if (!before || next <= now) {
      const isTaken = await refreshes.set(alert, before, { at: now.toISOString(), isPlanned: false });
      (isTaken ? due : lost).push(alert);
    } else if (!before.isPlanned || Date.parse(before.at) <= now.getTime()) {
      const at = next.toISOString();
      // Versions up to the planned time are left to that evaluation, so that it must not come earlier.
      const delaySeconds = Math.ceil((next.getTime() - now.getTime()) / 1000) + 1;
      const { rules } = planned.get(at) ?? { rules: [] };
      planned.set(at, { at, delaySeconds, rules: [...rules, { alert, before }] });
    }
  });
  return { due, planned: [...planned.values()], lost };
}

/** Sends the message first: a worker that dies in between sends it again, and the second one finds nothing new. */
async function plan({ table, queue }: EvaluationDeps, planned: Planned, trigger: Trigger): Promise<void> {
  const { at, delaySeconds, rules } = planned;
  const refreshes = refreshTimes(table);
  for (let start = 0; start < rules.length; start += RULES_AT_ONCE) {
    const part = rules.slice(start, start + RULES_AT_ONCE);
    const { workspaceId } = part[0]!.alert;
    const alertIds = part.map(({ alert }) => alert.id);
    await queue.send([{ message: { op: 'evaluate', workspaceId, alertIds, trigger }, delaySeconds }]);
    // If another worker was faster, it has planned the same.
    await inParallel(AT_ONCE, part, async ({ alert, before }) => {
      await refreshes.set(alert, before, { at, isPlanned: true });
    });
  }
}
