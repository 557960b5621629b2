import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { onNewest } from '../../../shared/platform/storage/on-newest.ts';
import type { WorkspaceRepository } from '../repository.ts';

/**
 * The member's API keys and sign-ins in this workspace stop working with the membership, and stay so if the person is
 * added again.
 */
export async function removeMember(
  deps: { workspaces: WorkspaceRepository },
  command: { workspaceId: string; userId: string },
): Promise<void> {
  await onNewest('STALE_WRITE', async () => {
    const member = await deps.workspaces.member(command.workspaceId, command.userId);
    if (!member) throw new AppError('MEMBER_NOT_FOUND');
    await deps.workspaces.removeMember(member);
  });
}
