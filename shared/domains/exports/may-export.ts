import type { Principal } from '../../platform/auth/principal.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { WorkspaceRecord } from '../workspaces/index.ts';

/** Throws `EXPORT_TURNED_OFF` for a viewer of a workspace whose viewers may not export. */
export async function assertMayExport(
  { workspace }: { workspace: (id: string) => Promise<Pick<WorkspaceRecord, 'viewersMayExport'> | undefined> },
  { role, workspaceId }: Pick<Principal, 'role' | 'workspaceId'>,
): Promise<void> {
  if (role !== 'viewer') return;
  const { viewersMayExport = true } = (await workspace(workspaceId)) ?? {};
  if (!viewersMayExport) throw new AppError('EXPORT_TURNED_OFF');
}
