import { isPermitted, type Permission } from '../../../platform/auth/permissions.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import type { ReceivedGrant } from '../../tenancy/grants/index.ts';
import type { DashboardRecord } from './records.ts';

/** How a caller sees a dashboard. */
export interface Sight {
  permission: 'viewer' | 'editor';
  /** What lets the caller see it. */
  via: 'owner' | 'role' | 'grant' | 'group';
  /** Whether the caller sees the draft; otherwise the published version. */
  seesDraft: boolean;
  /** Deleting ends it for everyone, so a grant is not enough. */
  mayDelete: boolean;
}

type Seen = Pick<DashboardRecord, 'ownerId' | 'deletedAt' | 'isPublished'>;

/**
 * Undefined if the dashboard, or the report, does not exist for the caller. Editors and admins see all of them, others
 * those that are published or granted to them, and their own. Only those with the role see a deleted one, because they
 * may restore it.
 */
export function sightOf(
  principal: Principal,
  { ownerId, deletedAt, isPublished }: Seen,
  grant: ReceivedGrant | undefined,
  write: Permission = 'dashboards:write',
): Sight | undefined {
  const hasRole = isPermitted(write, { ...principal, scope: null });
  const isEditor = hasRole || grant?.level === 'editor';
  if (deletedAt !== null && !hasRole) return undefined;
  const via = ownerId === principal.userId ? 'owner' : hasRole || !grant ? 'role' : grant.via;
  if (via === 'role' && !hasRole && !isPublished) return undefined;
  const mayWrite = principal.scope !== 'read';
  return {
    permission: isEditor && mayWrite ? 'editor' : 'viewer',
    via,
    seesDraft: isEditor || !isPublished,
    mayDelete: hasRole && mayWrite,
  };
}
