import type { GroupMemberships, GroupRepository } from '../../../../shared/domains/tenancy/groups/index.ts';
import type { Cursors } from '../../../../shared/platform/http/cursor.ts';
import type { CursorPageOf } from '../../../../shared/platform/storage/page.ts';
import type { GroupMember } from '../schemas.ts';
import { findGroup } from './find-group.ts';

/** Throws the codes of `Cursors.open`. */
export async function listGroupMembers(
  deps: { groups: GroupRepository; memberships: GroupMemberships; cursors: Cursors; now: () => Date },
  query: { workspaceId: string; id: string; limit: number; cursor?: string },
): Promise<CursorPageOf<GroupMember>> {
  const { workspaceId, limit, cursor } = query;
  const { id: groupId } = await findGroup(deps, query);
  const now = deps.now();
  const scope = { workspaceId, list: ['group-members', groupId] };
  const place = cursor ? await deps.cursors.open(cursor, scope, now) : { after: undefined, asOf: now.toISOString() };
  const { items, total, last } = await deps.memberships.list({ workspaceId, groupId }, { limit, after: place.after });
  const nextCursor = last ? await deps.cursors.seal({ asOf: place.asOf, after: last }, scope, now) : null;
  return { items: items.map(showMember), total, nextCursor };
}

/** Without the membership in the workspace, which is internal. */
export function showMember({ membershipId: _, ...member }: GroupMember & { membershipId: string }): GroupMember {
  return member;
}
