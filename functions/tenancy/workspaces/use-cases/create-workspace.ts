import { showWorkspace, type Workspace } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { WorkspaceRepository } from '../repository.ts';

export async function createWorkspace(
  deps: { workspaces: WorkspaceRepository; now: () => Date },
  principal: Principal,
  command: { id: string; name: string },
): Promise<Workspace> {
  const founder = await deps.workspaces.user(principal.userId);
  if (!founder) throw new AppError('UNAUTHENTICATED');
  const at = deps.now().toISOString();
  const { id, name } = command;
  const created = await deps.workspaces.createWorkspace(
    { id, companyId: principal.companyId, name, createdAt: at, updatedAt: at, revision: 1 },
    founder,
  );
  return showWorkspace(created);
}
