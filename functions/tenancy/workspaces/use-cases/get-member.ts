import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { showMember, type WorkspaceRepository } from '../repository.ts';
import type { Member } from '../schemas.ts';

export async function getMember(
  { workspaces }: { workspaces: WorkspaceRepository },
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<Member> {
  const member = await workspaces.member(workspaceId, userId);
  if (!member) throw new AppError('MEMBER_NOT_FOUND');
  return showMember(member);
}
