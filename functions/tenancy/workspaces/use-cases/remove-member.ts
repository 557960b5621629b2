import type { EndedMember } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { Ended } from '../../../../shared/platform/storage/clean-ups.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { TransactItem } from '../../../../shared/platform/storage/table.ts';
import type { WorkspaceRepository } from '../repository.ts';

/**
 * The member's API keys and sign-ins in this workspace stop working with the membership, and places in groups no longer
 * count. All that stays so if the person is added again. Throws `MEMBER_NOT_FOUND`, `LAST_ADMIN`, or
 * `LAST_COMPANY_ADMIN` for the last person who can manage the company: without a workspace, they could not sign in.
 */
export async function removeMember(
  deps: {
    workspaces: WorkspaceRepository;
    cleanUpItem(ended: Ended): TransactItem;
    cleanUpNow(ended: Ended): Promise<void>;
  },
  command: { workspaceId: string; userId: string },
): Promise<void> {
  const ended = await onNewest('STALE_WRITE', async () => {
    const member = await deps.workspaces.member(command.workspaceId, command.userId);
    if (!member) throw new AppError('MEMBER_NOT_FOUND');
    const ended: EndedMember = { kind: 'member', ...command, membershipId: member.membershipId };
    const holding = await deps.workspaces.holdingCompany(member);
    if (!holding) throw new AppError('LAST_COMPANY_ADMIN');
    await deps.workspaces.removeMember(member, [deps.cleanUpItem(ended)], holding);
    return ended;
  });
  await deps.cleanUpNow(ended);
}
