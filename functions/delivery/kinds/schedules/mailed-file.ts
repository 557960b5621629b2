import {
  MAX_ATTACHED_BYTES,
  type ScheduleRecord,
  type StoredFile,
} from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import type { ExportedFile, ExportOptions } from '../../../../shared/domains/boards/exports/index.ts';
import { assertMayExport, type WorkspaceRecord } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { ObjectStore } from '../../../../shared/platform/objects/object-store.ts';

interface Deps {
  objects: Pick<ObjectStore, 'write'>;
  workspace(id: string): Promise<WorkspaceRecord | undefined>;
  newId(): string;
  report(error: unknown, schedule: ScheduleRecord): void;
}

export interface MailedFiles {
  /**
   * What `written` exports as the principal may see it, as a file in the bucket; undefined if the file is too large for
   * an email. Throws the errors of the export, and `EXPORT_TURNED_OFF`.
   */
  write(
    schedule: ScheduleRecord,
    principal: Principal,
    written: (options: ExportOptions) => Promise<ExportedFile>,
  ): Promise<StoredFile | undefined>;
}

const TIMEOUT_MS = 60_000;

export const mailedFiles = ({ objects, workspace, newId, report }: Deps): MailedFiles => ({
  async write(schedule, principal, written) {
    await assertMayExport({ workspace }, principal);
    const { format, filters = [], timezone, workspaceId } = schedule;
    const exported = await written({
      principal,
      format: format!,
      filters,
      // Metrics keep their own time zone in a schedule without one.
      timezone: timezone === 'UTC' ? undefined : timezone,
      otherwiseIn: timezone,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ATTACHED_BYTES,
      onError: (error) => report(error, schedule),
    }).catch(noneIfTooLarge);
    if (!exported) return undefined;
    const { content, fileName, contentType, truncated } = exported;
    const file = { fileName, contentType, truncated };
    if (!Buffer.isBuffer(content)) return content.bytes > MAX_ATTACHED_BYTES ? undefined : { ...file, ...content };
    if (content.length > MAX_ATTACHED_BYTES) return undefined;
    const key = `results/${workspaceId}/deliveries/${newId()}`;
    await objects.write(key, content, contentType);
    return { ...file, key, bytes: content.length };
  },
});

function noneIfTooLarge(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'RESULT_TOO_LARGE') return undefined;
  throw error;
}
