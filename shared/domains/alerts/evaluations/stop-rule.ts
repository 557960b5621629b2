import { AppError } from '../../../platform/errors/app-error.ts';
import { idAt, later } from '../../../platform/storage/ids.ts';
import { type Announcement, announcementItem, announceNow } from '../../delivery/notifications/index.ts';
import { resolveAudience } from '../recipients/index.ts';
import type { AlertRecord } from '../rules/index.ts';
import type { EvaluationDeps } from './deps.ts';

/** A rule whose owner has left is not evaluated any more, of which admins and its recipients are notified once. */
const STOPPED = { name: 'alert', phrase: 'has an alert', mail: 'urgent', mailsTogether: true } as const;

/** Stops a rule until it has another owner. */
export async function stopRule(deps: EvaluationDeps, alert: AlertRecord): Promise<void> {
  const { table } = deps;
  const { workspaceId, id, name, apiUrl } = alert;
  const at = table.now();
  const [{ people }, admins] = await Promise.all([resolveAudience(table, alert), deps.admins(workspaceId)]);
  const announcement: Announcement = {
    workspaceId,
    cause: { id: idAt(at, 'alert-stopped', id, alert.revision), at: at.toISOString() },
    subject: { type: 'alert', id },
    actorId: null,
    title: `The alert “${name}” has stopped`,
    text: 'Its owner has left the workspace or is deactivated. Choose another owner to restart it.',
    apiUrl,
    audiences: [{ kind: STOPPED, userIds: [...new Set([...admins, ...people.keys()])] }],
  };
  const next: AlertRecord = { ...alert, stopReason: 'OWNER_INACTIVE', updatedAt: later(alert.updatedAt, at) };
  try {
    await deps.alerts.replaceUnlogged(alert, next, [announcementItem(table, announcement)]);
  } catch (error) {
    // Another worker has stopped it, or it was changed: the next evaluation looks again.
    if (error instanceof AppError && error.code === 'STALE_WRITE') return;
    throw error;
  }
  await announceNow(table, announcement, (error) => deps.report(error, id));
}
