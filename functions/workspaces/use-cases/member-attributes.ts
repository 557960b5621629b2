import {
  type Attributes,
  attributeIssues,
  type MemberAttributes,
  type StoredMember,
} from '../../../shared/domains/workspaces/index.ts';
import { AppError } from '../../../shared/platform/errors/app-error.ts';
import { onNewest } from '../../../shared/platform/storage/on-newest.ts';
import type { WorkspaceRepository } from '../repository.ts';

interface Named {
  workspaceId: string;
  userId: string;
}

interface Deps {
  workspaces: WorkspaceRepository;
  now: () => Date;
}

export async function getMemberAttributes(deps: Deps, named: Named): Promise<MemberAttributes> {
  return deps.workspaces.attributes(await find(deps, named));
}

export async function setMemberAttributes(
  deps: Deps,
  command: Named & { attributes: Attributes; by: string },
): Promise<MemberAttributes> {
  const { attributes, by } = command;
  const errors = attributeIssues(attributes);
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  return onNewest('STALE_WRITE', async () =>
    deps.workspaces.setAttributes(await find(deps, command), { attributes, by, at: deps.now() }),
  );
}

async function find({ workspaces }: Deps, { workspaceId, userId }: Named): Promise<StoredMember> {
  const member = await workspaces.member(workspaceId, userId);
  if (!member) throw new AppError('MEMBER_NOT_FOUND');
  return member;
}
