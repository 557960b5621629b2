import { inParallel } from '../../../platform/concurrency/in-parallel.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { peopleOf, runByHand } from '../../delivery/deliveries/index.ts';
import type { ScheduleRecord, StoredScheduleMail } from './records.ts';
import { findSchedule, type ObjectNamed, type ScheduleDeps, type ScheduleNamed } from './scheduled-object.ts';
import { memberId, type ShownRun, type ShownSchedule, showRun, showSchedule, stopReasonOf } from './show-schedule.ts';

const READS_AT_ONCE = 8;

/** Throws the not-found error of the kind. */
export async function listSchedules<S extends ScheduleRecord>(
  deps: ScheduleDeps<S>,
  named: ObjectNamed,
): Promise<{ items: ShownSchedule<S>[]; total: number }> {
  const object = await deps.object(named);
  const found = await deps.schedules.ofObject(named.principal.workspaceId, named.id);
  const items = new Map<string, ShownSchedule<S>>();
  await inParallel(READS_AT_ONCE, found, async (schedule) => {
    items.set(schedule.id, await showSchedule(deps, { object, schedule }));
  });
  return { items: found.map(({ id }) => items.get(id)!), total: found.length };
}

/** The newest runs. Throws the not-found errors of the kind. */
export async function listScheduleRuns<S extends ScheduleRecord>(
  deps: ScheduleDeps<S>,
  { limit, ...named }: ScheduleNamed & { limit: number },
): Promise<{ items: ShownRun[] }> {
  const { schedule } = await findSchedule(deps, named);
  const place = { workspaceId: schedule.workspaceId, deliveryId: schedule.id };
  const runs = await deps.runs.list(place, limit);
  const mails = new Map<string, StoredScheduleMail[]>();
  await inParallel(READS_AT_ONCE, runs, async ({ id: runId }) => {
    mails.set(runId, await deps.runs.mails({ ...place, runId }));
  });
  const userIds = [...mails.values()].flat().flatMap(memberId);
  const members = await deps.membersOf(schedule.workspaceId, [...new Set(userIds)]);
  return { items: runs.map((run) => showRun(schedule, run, mails.get(run.id)!, members)) };
}

/**
 * Starts a run. Throws the not-found errors of the kind, its error of stopped schedules, `MAIL_NOT_CONFIGURED` or
 * `RATE_LIMITED`.
 */
export async function runSchedule<S extends ScheduleRecord>(
  deps: ScheduleDeps<S>,
  { runId, ...named }: ScheduleNamed & { runId: string },
): Promise<ShownRun> {
  const found = await findSchedule(deps, named);
  const { schedule } = found;
  if (!deps.sendsMail && schedule.recipients.length > 0) throw new AppError('MAIL_NOT_CONFIGURED');
  const members = await deps.membersOf(schedule.workspaceId, peopleOf(schedule));
  if (stopReasonOf(found, members) !== null) throw new AppError(deps.kind.codes.stopped);
  const { userId } = named.principal;
  const run = await runByHand(deps, schedule, { runId, userId, logged: await deps.logSending(schedule) });
  return showRun(schedule, run, [], members);
}
