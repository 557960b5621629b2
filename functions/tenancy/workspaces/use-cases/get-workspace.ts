import { showWorkspace, type Workspace } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { WorkspaceRepository } from '../repository.ts';

export async function getWorkspace(deps: { workspaces: WorkspaceRepository }, id: string): Promise<Workspace> {
  const workspace = await deps.workspaces.workspace(id);
  if (!workspace) throw new AppError('UNAUTHENTICATED');
  return showWorkspace(workspace);
}
