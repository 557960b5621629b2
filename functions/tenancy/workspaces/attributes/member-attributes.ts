import { type MappedAttributes, withMapped } from '../../../../shared/domains/identity/mapped-attributes/index.ts';
import {
  type Attributes,
  attributeIssues,
  MAX_MEMBER_BYTES,
  type StoredMember,
} from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { WorkspaceRepository } from '../repository.ts';
import type { MemberAttributes } from '../schemas.ts';

interface Named {
  companyId: string;
  workspaceId: string;
  userId: string;
}

interface Deps {
  workspaces: WorkspaceRepository;
  /** What the identity providers of the company say of a person. */
  mapped(userId: string, companyId: string): Promise<MappedAttributes>;
  now: () => Date;
}

export async function getMemberAttributes(deps: Deps, named: Named): Promise<MemberAttributes> {
  const member = await find(deps, named);
  const [own, mapped] = await Promise.all([
    deps.workspaces.attributes(member),
    deps.mapped(named.userId, named.companyId),
  ]);
  return showAttributes(own, mapped);
}

const showAttributes = (own: Omit<MemberAttributes, 'mapped'>, mapped: MappedAttributes): MemberAttributes => ({
  ...own,
  attributes: withMapped(own.attributes, mapped),
  mapped: [...mapped.names].sort(),
});

export async function setMemberAttributes(
  deps: Deps,
  command: Named & { attributes: Attributes; by: string },
): Promise<MemberAttributes> {
  const { attributes, by } = command;
  const errors = attributeIssues(attributes, '/attributes', MAX_MEMBER_BYTES);
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  return onNewest('STALE_WRITE', async () => {
    const member = await find(deps, command);
    const mapped = await deps.mapped(command.userId, command.companyId);
    requireOwn(attributes, mapped);
    const own = Object.fromEntries(Object.entries(attributes).filter(([name]) => !mapped.names.has(name)));
    return showAttributes(await deps.workspaces.setAttributes(member, { attributes: own, by, at: deps.now() }), mapped);
  });
}

/** A mapped attribute may be sent back as it was read, and is ignored then. */
function requireOwn(attributes: Attributes, { names, attributes: mapped }: MappedAttributes): void {
  const changed = Object.entries(attributes).filter(
    ([name, value]) => names.has(name) && JSON.stringify(mapped[name]) !== JSON.stringify(value),
  );
  if (changed.length === 0) return;
  const message =
    'is set by the identity provider of the company; change it there, or ask a company admin to remove its mapping';
  const errors = changed.map(([name]) => ({ pointer: `/attributes/${name}`, code: 'MAPPED', message }));
  throw new AppError('VALIDATION_FAILED', { errors });
}

async function find({ workspaces }: Deps, { workspaceId, userId }: Named): Promise<StoredMember> {
  const member = await workspaces.member(workspaceId, userId);
  if (!member) throw new AppError('MEMBER_NOT_FOUND');
  return member;
}
