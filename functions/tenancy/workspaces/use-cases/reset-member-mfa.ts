import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { WorkspaceRepository } from '../repository.ts';

/**
 * For a person who has lost the app and the recovery codes. Not for one's own factor: a stolen access token of a
 * company admin would turn it off.
 */
export async function resetMemberMfa(
  deps: { workspaces: WorkspaceRepository; newId: () => string; now: () => Date },
  principal: Principal,
  userId: string,
): Promise<void> {
  if (userId === principal.userId) throw new AppError('OWN_SECOND_FACTOR');
  const member = await deps.workspaces.member(principal.workspaceId, userId);
  if (!member) throw new AppError('MEMBER_NOT_FOUND');
  await deps.workspaces.resetSecondFactor(member, { signInEpoch: deps.newId(), at: deps.now() });
}
