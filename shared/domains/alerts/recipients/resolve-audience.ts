import type { Principal } from '../../../platform/auth/principal.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { outsideRecipient } from '../../boards/delivery-schedules/index.ts';
import { isStillMember } from '../../delivery/deliveries/index.ts';
import { type Follow, follows, type OutsideAddress } from '../../delivery/notifications/index.ts';
import { groupMemberships, groupsOf } from '../../tenancy/groups/index.ts';
import { readPeople, readWorkspace, type WorkspacePerson } from '../../tenancy/workspaces/index.ts';
import { type AlertRecord, addressesIn, groupsIn, peopleIn, takesFollowers } from '../rules/index.ts';

const MAX_AUDIENCE = 1_000;
const PAGE = 200;

/** The people whom a rule notifies now, by user id. */
export interface AlertAudience {
  people: ReadonlyMap<string, WorkspacePerson>;
  /** Those who get an email besides. */
  mailed: ReadonlySet<string>;
  owner: WorkspacePerson | undefined;
}

/**
 * Resolved with each evaluation: people who have left the workspace, were deactivated, or have left the rule are not
 * among them, and neither are those who came back as other members.
 */
export async function resolveAudience(table: Table, alert: AlertRecord): Promise<AlertAudience> {
  const { workspaceId, id, channels, owner } = alert;
  const subject = { type: 'alert', id };
  const [inGroups, followers] = await Promise.all([
    Promise.all(
      groupsIn(channels).map(async (groupId) => [groupId, await membersOf(table, workspaceId, groupId)] as const),
    ),
    !takesFollowers(alert) ? [] : follows(table).list(workspaceId, subject, { after: '', limit: MAX_AUDIENCE }),
  ]);
  const members = new Map(inGroups);
  const { inApp, email } = channels;
  const ofGroups = (ids: readonly string[] = []) => ids.flatMap((groupId) => members.get(groupId) ?? []);
  const mailed = new Set([...(email?.userIds ?? []), ...ofGroups(email?.groupIds)]);
  const named = [...peopleIn(channels), ...ofGroups(inApp?.groupIds), ...mailed];
  const following = followers.map(({ userId }) => userId);
  // A rule without names is its owner's.
  const addressed = new Set(isUnaddressed(alert) ? [owner.userId] : named);
  const wanted = [...new Set([...addressed, ...following])].slice(0, MAX_AUDIENCE);
  const found = await readPeople(table, workspaceId, [owner.userId, ...wanted]);
  const chosen = await follows(table).read([...found.values()], subject);
  const people = new Map(
    wanted.flatMap((userId) => {
      const person = found.get(userId);
      const follow = chosen.get(userId);
      // A follower who came back under another membership has not chosen to follow.
      const isMeant = addressed.has(userId) || follow?.state === 'following';
      const isLeft = person && isMeant && !hasLeft(follow) && isSame(alert, person);
      return isLeft && person.isActive ? [[userId, person] as const] : [];
    }),
  );
  const ownerNow = found.get(owner.userId);
  const isOwner = ownerNow?.isActive && isStillMember(found, owner);
  return { people, mailed, owner: isOwner ? ownerNow : undefined };
}

/** The addresses outside the workspace that it allows now. */
export async function outsideOf(table: Table, { workspaceId, channels }: AlertRecord): Promise<OutsideAddress[]> {
  const addresses = addressesIn(channels);
  if (addresses.length === 0) return [];
  const place = { workspaceId, workspace: await readWorkspace(table, workspaceId) };
  return addresses.flatMap((address) => outsideRecipient(place, address) ?? []);
}

export const isUnaddressed = ({ channels }: Pick<AlertRecord, 'channels'>): boolean =>
  peopleIn(channels).length === 0 && groupsIn(channels).length === 0;

const hasLeft = (follow: Follow | undefined): boolean => follow !== undefined && follow.state !== 'following';

/** A person who was named and came back under another membership is no longer meant. */
const isSame = ({ memberships }: AlertRecord, { userId, membershipId }: WorkspacePerson): boolean =>
  !Object.hasOwn(memberships, userId) || memberships[userId] === (membershipId ?? null);

async function membersOf(table: Table, workspaceId: string, groupId: string): Promise<string[]> {
  const groups = groupMemberships(table);
  const found: string[] = [];
  let after: string | undefined;
  do {
    const page = await groups.list({ workspaceId, groupId }, { limit: PAGE, after });
    found.push(...page.items.map(({ userId }) => userId));
    after = page.last;
  } while (after !== undefined && found.length < MAX_AUDIENCE);
  return found;
}

/** The ids of the groups of a person. */
export type GroupsOnce = () => Promise<ReadonlySet<string>>;

/** Reads them when they are first asked for: the rules of a list ask for the same groups. */
export function groupsOnce(table: Table, principal: Principal): GroupsOnce {
  let known: Promise<ReadonlySet<string>> | undefined;
  return () => {
    known ??= groupsOf(table, principal).then((groups) => new Set(groups.map(({ id }) => id)));
    return known;
  };
}

/** The ids of the rules among these that name the caller, as `isNamed` decides. */
export async function namedAmong(
  table: Table,
  principal: Principal,
  alerts: readonly AlertRecord[],
): Promise<ReadonlySet<string>> {
  if (principal.kind !== 'user') return new Set();
  const groups = groupsOnce(table, principal);
  const named = new Set<string>();
  const others: string[] = [];
  for (const alert of alerts) {
    if (await isWritten(principal, alert, groups)) named.add(alert.id);
    else if (takesFollowers(alert)) others.push(alert.id);
  }
  for (const [id, { state }] of await follows(table).ofPerson(principal, 'alert', others))
    if (state === 'following') named.add(id);
  return named;
}

/** Whether the channels or the ownership name the caller, or a group of theirs, or the caller follows the rule. */
export async function isNamed(
  table: Table,
  principal: Principal,
  alert: AlertRecord,
  groups: GroupsOnce = groupsOnce(table, principal),
): Promise<boolean> {
  if (principal.kind !== 'user') return false;
  if (await isWritten(principal, alert, groups)) return true;
  // Where only those who are named are notified, an earlier choice to follow does not count.
  if (!takesFollowers(alert)) return false;
  const follow = (await follows(table).read([principal], { type: 'alert', id: alert.id })).get(principal.userId);
  return follow?.state === 'following';
}

/** Whether the rule itself names the caller or a group of theirs. */
async function isWritten(principal: Principal, alert: AlertRecord, groups: GroupsOnce): Promise<boolean> {
  const { userId, membershipId = null } = principal;
  if (alert.owner.userId === userId && (alert.owner.membershipId ?? null) === membershipId) return true;
  if (peopleIn(alert.channels).includes(userId) && alert.memberships[userId] === membershipId) return true;
  const groupIds = groupsIn(alert.channels);
  if (groupIds.length === 0) return false;
  const own = await groups();
  return groupIds.some((id) => own.has(id));
}

/** Whether the caller is notified, as far as naming goes. */
export async function audienceOf(
  table: Table,
  principal: Principal,
  alert: AlertRecord,
  groups: GroupsOnce = groupsOnce(table, principal),
): Promise<{ isRecipient: boolean; isFollowing: boolean | null }> {
  if (principal.kind !== 'user') return { isRecipient: false, isFollowing: null };
  const follow = (await follows(table).read([principal], { type: 'alert', id: alert.id })).get(principal.userId);
  const isFollowing = follow ? follow.state === 'following' : null;
  const mayFollow = takesFollowers(alert);
  if (isFollowing === false || (isFollowing && mayFollow)) return { isRecipient: isFollowing, isFollowing };
  const isOwner = alert.owner.userId === principal.userId;
  const isRecipient =
    isOwner && !isUnaddressed(alert)
      ? await isNamedByChannels(table, principal, alert, groups)
      : await isNamed(table, principal, alert, groups);
  return { isRecipient, isFollowing };
}

async function isNamedByChannels(
  table: Table,
  principal: Principal,
  alert: AlertRecord,
  groups: GroupsOnce,
): Promise<boolean> {
  const withoutOwner = { userId: '', membershipId: '' };
  return isNamed(table, principal, { ...alert, owner: withoutOwner }, groups);
}
