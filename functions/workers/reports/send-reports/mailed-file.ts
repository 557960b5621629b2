import {
  MAX_ATTACHED_BYTES,
  type ScheduleRecord,
  type StoredFile,
} from '../../../../shared/domains/dashboard-schedules/index.ts';
import { type ExportDeps, exportDashboard } from '../../../../shared/domains/exports/index.ts';
import { assertMayExport, type WorkspaceRecord } from '../../../../shared/domains/workspaces/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { ObjectStore } from '../../../../shared/platform/objects/object-store.ts';

interface Deps {
  cards: ExportDeps;
  objects: Pick<ObjectStore, 'write'>;
  workspace(id: string): Promise<WorkspaceRecord | undefined>;
}

const TIMEOUT_MS = 60_000;

/**
 * Exports the dashboard as the recipient may see it to a file in the bucket; undefined if the file is too large for an email. Throws the
 * errors of the export, and `EXPORT_TURNED_OFF`.
 */
export async function mailedFile(
  { cards, objects, workspace }: Deps,
  given: { schedule: ScheduleRecord; principal: Principal; onError(error: unknown): void },
): Promise<StoredFile | undefined> {
  const { schedule, principal, onError } = given;
  const { dashboardId, format, pageId, filters, timezone } = schedule;
  await assertMayExport({ workspace }, principal);
  const exported = await exportDashboard(cards, {
    principal,
    dashboardId,
    format: format!,
    pageId: pageId ?? undefined,
    filters,
    timezone: timezone === 'UTC' ? undefined : timezone,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_ATTACHED_BYTES,
    onError,
  }).catch(noneIfTooLarge);
  if (!exported) return undefined;
  const { content, fileName, contentType, truncated } = exported;
  const file = { fileName, contentType, truncated };
  if (!Buffer.isBuffer(content)) return content.bytes > MAX_ATTACHED_BYTES ? undefined : { ...file, ...content };
  if (content.length > MAX_ATTACHED_BYTES) return undefined;
  const key = `results/${schedule.workspaceId}/deliveries/${cards.newId()}`;
  await objects.write(key, content, contentType);
  return { ...file, key, bytes: content.length };
}

function noneIfTooLarge(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'RESULT_TOO_LARGE') return undefined;
  throw error;
}
