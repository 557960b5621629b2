import type { DataSourceRepository, StoredDataSource } from '../../../../shared/domains/warehouse/sources/index.ts';
import { isPermitted } from '../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import type { SecretBox } from '../../../../shared/platform/crypto/secret-box.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { type Schedule, scheduleAfter, scheduleIssues } from '../../../../shared/platform/schedule/schedule.ts';
import type { ExternalSettings } from '../connections.ts';
import type { CreateDataSource, DataSource } from '../schemas.ts';
import type { CheckSettings } from './check-settings.ts';
import { showDataSource } from './read-data-sources.ts';

/** Throws `FORBIDDEN` for a caller who may only upload. */
function assertSchedule(schedule: Schedule, principal: Principal): void {
  if (!isPermitted('data-sources:manage', principal))
    throw new AppError('FORBIDDEN', { detail: 'Only admins schedule syncs of data sources.' });
  const errors = scheduleIssues(schedule, '/schedule');
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}

/**
 * Secrets are encrypted before they are stored; every reply shows the other settings only. Throws `FORBIDDEN` for
 * sources other than files if the caller may only upload.
 */
export async function createDataSource(
  deps: { sources: DataSourceRepository; secrets: SecretBox; checkSettings: CheckSettings; now: () => Date },
  { id, principal, source }: { id: string; principal: Principal; source: CreateDataSource },
): Promise<DataSource> {
  const { workspaceId, userId: createdBy } = principal;
  if (source.type !== 'file' && !isPermitted('data-sources:manage', principal))
    throw new AppError('FORBIDDEN', { detail: 'Only admins create sources that are reached over the network.' });
  const { schedule } = source;
  if (schedule) assertSchedule(schedule, principal);
  const at = deps.now().toISOString();
  const common = {
    id,
    workspaceId,
    name: source.name,
    schedule: scheduleAfter(schedule, null),
    createdBy,
    createdAt: at,
    updatedAt: at,
    revision: 1,
  };
  if (source.type === 'file') return showDataSource(await deps.sources.create({ ...common, type: 'file', config: {} }));
  await deps.checkSettings(source as ExternalSettings);
  const { type, config } = source;
  const sealedSecrets = await deps.secrets.seal(workspaceId, JSON.stringify(source.secrets));
  return showDataSource(await deps.sources.create({ ...common, type, config, sealedSecrets } as StoredDataSource));
}
