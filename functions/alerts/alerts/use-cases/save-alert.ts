import {
  type AlertRecord,
  addressesIn,
  type EndedAlert,
  groupsIn,
  MAX_ALERTS,
  peopleIn,
  sharesRows,
} from '../../../../shared/domains/alerts/rules/index.ts';
import { digestOf, ownerOf, personalCondition } from '../../../../shared/domains/alerts/sources/index.ts';
import {
  type DeliveryTarget,
  type GivenTarget,
  savedTargets,
} from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { unsubscribedIssues } from '../../../../shared/domains/delivery/deliveries/index.ts';
import { EVERY_SUBJECT, follows } from '../../../../shared/domains/delivery/notifications/index.ts';
import { isPermitted } from '../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';
import { later } from '../../../../shared/platform/storage/ids.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import { foldAddress } from '../../../../shared/platform/text/email-address.ts';
import type { Alert, CreateAlert, UpdateAlert } from '../schemas.ts';
import { assertValid } from './check-alert.ts';
import type { AlertDeps } from './context.ts';
import { findToChange, managesAlerts, type Named, showAlert } from './find-alert.ts';

/** Throws `ALERT_LIMIT`, `ALERT_NAME_TAKEN`, and what checking the condition throws. */
export async function createAlert(
  deps: AlertDeps,
  { id, principal, alert: given, apiUrl }: { id: string; principal: Principal; alert: CreateAlert; apiUrl: string },
): Promise<Alert> {
  const { workspaceId, userId } = principal;
  const { ownerId = userId, scheduleCron = null, ...members } = given;
  const { targets: wanted = [], ...channels } = members.channels ?? {};
  const at = deps.now().toISOString();
  const open = { ...channels, event: channels.event ?? managesAlerts(principal) };
  assertOwn(principal, { channels: open, ownerId, hasTargets: wanted.length > 0 });
  const outside = await savedOutside(deps, { principal, id, channels: open, given: wanted });
  const named = { ...members, channels: outside.channels };
  const people = await deps.members(workspaceId, [ownerId, ...peopleIn(channels)]);
  const alert: AlertRecord = {
    id,
    workspaceId,
    ...{
      description: '',
      isActive: true,
      timezone: 'UTC',
      repeat: 'never',
      runAs: 'recipients',
      shareRows: false,
      holdOnQuality: false,
      notifyOnRecover: true,
      severity: 'warning',
    },
    onRefresh: scheduleCron === null,
    ...named,
    targets: outside.targets,
    conditionVersion: 1,
    memberships: membershipsOf(people, peopleIn(channels)),
    scheduleCron,
    snoozedUntil: null,
    owner: { userId: ownerId, membershipId: membershipOf(people, ownerId) },
    stopReason: null,
    apiUrl,
    createdBy: userId,
    updatedBy: userId,
    createdAt: at,
    updatedAt: at,
    revision: 1,
  };
  assertMayShare(principal, alert);
  await assertValid(deps, { alert, principal, isRead: true, isAddressed: true, outsideIssues: outside.issues });
  const shared = { ...alert, ...(await sharedSourceOf(deps, principal, alert)) };
  const stored = await onNewest('STALE_WRITE', async () => {
    const existing = await deps.alerts.readAll(workspaceId);
    if (existing.length >= MAX_ALERTS && !existing.some((each) => each.id === id)) throw new AppError('ALERT_LIMIT');
    return deps.alerts.create(shared);
  });
  return showAlert(deps, principal, stored);
}

/** Throws the same codes, `ALERT_NOT_FOUND` and `FORBIDDEN`. */
export function updateAlert(
  deps: AlertDeps,
  { change, apiUrl, ...named }: Named & { change: UpdateAlert; apiUrl: string },
): Promise<Alert> {
  const { principal } = named;
  const { workspaceId, userId } = principal;
  return onNewest('STALE_WRITE', async () => {
    const before = await findToChange(deps, named);
    const { ownerId = before.owner.userId, ...given } = change;
    const { channels: open, wanted } = channelsAfter(before, given.channels);
    const known = before.targets ?? [];
    assertOwn(principal, { channels: open, ownerId, hasTargets: (wanted ?? known).length > 0 });
    const outside = await savedOutside(deps, { principal, id: before.id, channels: open, given: wanted, before });
    const { channels } = outside;
    const isRead = isOtherwise(before, given) || isChanged(before, given);
    const people = await deps.members(workspaceId, [ownerId, ...peopleIn(channels)]);
    const isNewOwner = change.ownerId !== undefined;
    const next: AlertRecord = {
      ...before,
      ...given,
      targets: outside.targets,
      channels,
      // The people of before are those whom it was written for, also if they came back under another membership.
      memberships: given.channels ? membershipsOf(people, peopleIn(channels)) : before.memberships,
      conditionVersion: before.conditionVersion + (isRead ? 1 : 0),
      owner: isNewOwner ? { userId: ownerId, membershipId: membershipOf(people, ownerId) } : before.owner,
      stopReason: isNewOwner ? null : before.stopReason,
      apiUrl,
      updatedBy: userId,
      updatedAt: later(before.updatedAt, deps.now()),
    };
    assertMayChange(principal, before, next);
    await assertValid(deps, {
      alert: next,
      principal,
      isRead,
      isAddressed: isNewOwner || given.channels !== undefined,
      outsideIssues: outside.issues,
    });
    const isConfirmed = !isSame(before, next) || (given.shareRows === true && mayShare(principal, next));
    const shared = isConfirmed ? await sharedSourceOf(deps, principal, next) : {};
    return showAlert(deps, principal, await deps.alerts.replace(before, { ...next, ...shared }));
  });
}

/** Empty for an owner who is not a member, whom `assertValid` rejects. */
const membershipOf = (people: ReadonlyMap<string, { membershipId: string }>, userId: string): string =>
  people.get(userId)?.membershipId ?? '';

/** The channels of an update, apart from its targets: those of before stay where `wanted` is undefined. */
function channelsAfter(
  before: AlertRecord,
  given: UpdateAlert['channels'],
): { channels: AlertRecord['channels']; wanted: readonly GivenTarget[] | undefined } {
  if (!given) return { channels: before.channels, wanted: undefined };
  const { targets: wanted, ...channels } = given;
  return { channels: { ...channels, event: channels.event ?? before.channels.event ?? false }, wanted };
}

interface Outside {
  targets: DeliveryTarget[];
  /** With the addresses as they are stored. */
  channels: AlertRecord['channels'];
  issues: Issue[];
}

/** What is outside the workspace, and what is wrong with it. Throws `ADDRESS_BLOCKED`. */
async function savedOutside(
  deps: AlertDeps,
  saved: {
    principal: Principal;
    id: string;
    channels: AlertRecord['channels'];
    /** Undefined if the targets of before stay. */
    given: readonly GivenTarget[] | undefined;
    before?: AlertRecord;
  },
): Promise<Outside> {
  const { given, channels, before } = saved;
  const { workspaceId } = saved.principal;
  const known = before?.targets ?? [];
  const email = channels.email?.addresses === undefined ? undefined : channels.email;
  if (!given?.length && !email) return { targets: given ? [] : known, channels, issues: [] };
  const people = await deps.deliveryPeople(workspaceId);
  const { targets, issues } = given
    ? await savedTargets(deps, { workspaceId, given, before: known, people })
    : { targets: known, issues: [] };
  const found = issues.map((issue) => ({ ...issue, pointer: `/channels${issue.pointer}` }));
  if (!email) return { targets, channels, issues: found };
  const addresses = [...new Set(addressesIn(channels).map(foldAddress))];
  return {
    targets,
    channels: { ...channels, email: { ...email, addresses } },
    issues: [...found, ...(await addressIssues(deps, saved, people))],
  };
}

const ADDRESSES = 'channels/email/addresses';

async function addressIssues(
  { table }: AlertDeps,
  { principal, id, channels, before }: Parameters<typeof savedOutside>[1],
  people: Awaited<ReturnType<AlertDeps['deliveryPeople']>>,
): Promise<Issue[]> {
  const { workspaceId, userId } = principal;
  const addresses = addressesIn(channels);
  const found = addresses.map(people.find);
  const unknown = people
    .issues(addresses)
    .map((issue) => ({ ...issue, pointer: issue.pointer.replace('recipients', ADDRESSES) }));
  const members = found.flatMap((each, index): Issue[] => {
    if (!each || each.address !== undefined) return [];
    const message = 'is a member of the workspace; name them in `userIds`, so that they get what they may see';
    return [{ pointer: `/${ADDRESSES}/${index}`, code: 'IS_MEMBER', message }];
  });
  // Those of before stay, also if they have unsubscribed: they get no more mails.
  const isNew = (address: string) => !before || !addressesIn(before.channels).includes(address);
  const added = found.map((each) => (each?.address !== undefined && isNew(each.address) ? each : undefined));
  const outsiders = added.flatMap((each) => (each ? [{ workspaceId, userId: each.userId }] : []));
  const left = await Promise.all(
    [id, EVERY_SUBJECT].map((subjectId) => follows(table).read(outsiders, { type: 'alert', id: subjectId })),
  );
  const unsubscribed = left.flatMap((each) => [...each.values()].flatMap((one) => (one.noMail ? [one.userId] : [])));
  const given = added.map((each) => each?.userId);
  return [...unknown, ...members, ...unsubscribedIssues({ unsubscribed }, given, { userId, member: ADDRESSES })];
}

/** Whether what is evaluated changes. */
const isOtherwise = (before: AlertRecord, { condition, timezone }: UpdateAlert): boolean =>
  (condition !== undefined && JSON.stringify(condition) !== JSON.stringify(before.condition)) ||
  (timezone !== undefined && timezone !== before.timezone);

/** Whether it reads the rows of others. */
const isChanged = (before: AlertRecord, { runAs, shareRows }: UpdateAlert): boolean =>
  (runAs !== undefined && runAs !== before.runAs) || (shareRows !== undefined && shareRows !== before.shareRows);

const membershipsOf = (
  people: ReadonlyMap<string, { membershipId: string }>,
  userIds: readonly string[],
): AlertRecord['memberships'] =>
  Object.fromEntries(userIds.map((userId) => [userId, people.get(userId)?.membershipId ?? null]));

/** Viewers have alerts for themselves alone. Throws `FORBIDDEN`. */
function assertOwn(
  principal: Principal,
  { channels, ownerId, hasTargets }: { channels: AlertRecord['channels']; ownerId: string; hasTargets: boolean },
): void {
  if (managesAlerts(principal)) return;
  const others = [ownerId, ...peopleIn(channels)].filter((userId) => userId !== principal.userId);
  const hasOthers = others.length + groupsIn(channels).length + addressesIn(channels).length > 0;
  const isOwn = !hasOthers && channels.event !== true && !hasTargets;
  if (isOwn) return;
  throw new AppError('FORBIDDEN', {
    detail:
      'You can create alerts only for yourself. Ask an editor to notify other people, groups, addresses, webhooks or targets.',
  });
}

/** Throws what sharing throws if it changes whom an alert with the rows of its owner notifies of what. */
function assertMayChange(principal: Principal, before: AlertRecord, next: AlertRecord): void {
  if (isSame(before, next)) return;
  if (before.runAs === 'owner') assertSharer(principal);
  assertMayShare(principal, next);
}

/** Whether the same people are notified of the same rows. */
const isSame = (before: AlertRecord, next: AlertRecord): boolean =>
  JSON.stringify(sharedIn(before)) === JSON.stringify(sharedIn(next));

const sharedIn = ({ condition, timezone, channels, owner, runAs, shareRows }: AlertRecord) => [
  // A person who came back as another member has not shared anything.
  ...[condition, timezone, channels, owner.userId, owner.membershipId, runAs, shareRows],
];

/** Only admins share rows, and only their own. Throws `FORBIDDEN` and `ALERT_ROWS_OF_ANOTHER`. */
function assertMayShare(principal: Principal, { runAs, owner }: AlertRecord): void {
  if (runAs !== 'owner') return;
  assertSharer(principal);
  if (!isOwner(principal, owner)) throw new AppError('ALERT_ROWS_OF_ANOTHER');
}

const mayShare = (principal: Principal, { owner }: AlertRecord): boolean =>
  isPermitted('alerts:share', principal) && isOwner(principal, owner);

/** Throws `FORBIDDEN`. */
function assertSharer(principal: Principal): void {
  if (isPermitted('alerts:share', principal)) return;
  throw new AppError('FORBIDDEN', {
    detail: 'Only admins set `runAs` to `owner`, and change whom such an alert notifies of what.',
  });
}

const isOwner = ({ userId, membershipId }: Principal, owner: AlertRecord['owner']): boolean =>
  owner.userId === userId && owner.membershipId === membershipId;

/** What the owner shares of their rows from now on. */
async function sharedSourceOf(
  deps: AlertDeps,
  { companyId }: Principal,
  alert: AlertRecord,
): Promise<Pick<AlertRecord, 'sharedSource'>> {
  const owner = sharesRows(alert) ? await ownerOf(deps, alert, companyId) : undefined;
  if (!owner) return { sharedSource: undefined };
  const { opened } = await personalCondition(deps, owner, alert);
  return { sharedSource: digestOf(opened.key) };
}

/** Throws `ALERT_NOT_FOUND` and `FORBIDDEN`. */
export async function deleteAlert(deps: AlertDeps, named: Named): Promise<void> {
  const ended: EndedAlert = { kind: 'alert', workspaceId: named.principal.workspaceId, alertId: named.id };
  await onNewest('STALE_WRITE', async () => {
    const alert = await findToChange(deps, named);
    await deps.alerts.remove(alert, [deps.cleanUpItem(ended)]);
  });
  await deps.cleanUpNow(ended);
}
