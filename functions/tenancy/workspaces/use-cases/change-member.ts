import type { Role } from '../../../../shared/platform/auth/permissions.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import { showMember, type WorkspaceRepository } from '../repository.ts';
import type { Member } from '../schemas.ts';

export async function changeMember(
  deps: { workspaces: WorkspaceRepository },
  command: { workspaceId: string; userId: string; role: Role },
): Promise<Member> {
  return onNewest('STALE_WRITE', async () => {
    const member = await deps.workspaces.member(command.workspaceId, command.userId);
    if (!member) throw new AppError('MEMBER_NOT_FOUND');
    return deps.workspaces.changeRole(showMember(member), command.role);
  });
}
