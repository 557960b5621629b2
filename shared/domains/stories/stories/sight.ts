import { isPermitted } from '../../../platform/auth/permissions.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { includesLevel, type LevelOf, type ReceivedGrant } from '../../tenancy/grants/index.ts';
import type { StoryRecord } from './records.ts';

export type StoryLevel = LevelOf<'story'>;

/** How a caller sees a story. */
export interface StorySight {
  permission: StoryLevel;
  /** What lets the caller see it. */
  via: 'owner' | 'role' | 'grant' | 'group';
  /** Whether the caller sees the draft; otherwise the published version. */
  seesDraft: boolean;
}

/**
 * Undefined if the story does not exist for the caller. Editors and admins see all stories, others those that are
 * published or granted to them. Contributors and reviewers see the draft; so does anyone with a grant until there is a
 * published version.
 */
export function storySight(
  principal: Principal,
  record: Pick<StoryRecord, 'ownerId' | 'deletedAt' | 'published' | 'review'>,
  grant: ReceivedGrant | undefined,
): StorySight | undefined {
  const hasRole = isPermitted('stories:write', { ...principal, scope: null });
  if (record.deletedAt !== null && !hasRole) return undefined;
  const level: StoryLevel | undefined = hasRole ? 'editor' : (grant?.level as StoryLevel | undefined);
  if (level === undefined && !record.published) return undefined;
  const via = record.ownerId === principal.userId ? 'owner' : hasRole || !grant ? 'role' : grant.via;
  return {
    permission: principal.scope === 'read' ? 'viewer' : (level ?? 'viewer'),
    via,
    seesDraft: !record.published || isReviewer(principal, record) || includesLevel('story', level, 'contributor'),
  };
}

/**
 * Whether the caller acts in person. An API key has the rights of its role and none that its creator has as a person,
 * such as those of a reviewer.
 */
export const actsInPerson = (principal: Principal): boolean =>
  principal.kind === 'user' || isPermitted('stories:write', principal);

/** Whether the caller is one of the reviewers of the current round. */
export const isReviewer = (principal: Principal, { review }: Pick<StoryRecord, 'review'>): boolean =>
  actsInPerson(principal) && (review?.reviewers.some(({ userId }) => userId === principal.userId) ?? false);

/** Whether the caller may do what needs the level. */
export const mayAct = ({ permission }: StorySight, level: StoryLevel): boolean =>
  includesLevel('story', permission, level);
