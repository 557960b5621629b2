import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { WorkspaceRecord } from './records.ts';

interface Deps {
  workspace(id: string): Promise<Pick<WorkspaceRecord, 'viewersMayExport'> | undefined>;
}
type Caller = Pick<Principal, 'role' | 'workspaceId'>;

/** Whether the caller may export dashboards: an admin can turn exports off for viewers. */
export async function mayExport({ workspace }: Deps, { role, workspaceId }: Caller): Promise<boolean> {
  if (role !== 'viewer') return true;
  const { viewersMayExport = true } = (await workspace(workspaceId)) ?? {};
  return viewersMayExport;
}

/** Throws `EXPORT_TURNED_OFF` for a viewer of a workspace whose viewers may not export. */
export async function assertMayExport(deps: Deps, caller: Caller): Promise<void> {
  if (!(await mayExport(deps, caller))) throw new AppError('EXPORT_TURNED_OFF');
}
