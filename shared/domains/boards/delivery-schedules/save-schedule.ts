import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import { later } from '../../../platform/storage/ids.ts';
import { onNewest } from '../../../platform/storage/on-newest.ts';
import { jsonBytes } from '../../../platform/storage/page.ts';
import { failedConditions } from '../../../platform/storage/transact.ts';
import {
  type Delivery,
  type DeliveryPerson,
  deliveryTimeIssues,
  stillUnsubscribed,
  unsubscribedIssues,
} from '../../delivery/deliveries/index.ts';
import type { ObjectMember } from './kinds.ts';
import { deliveryPeople } from './recipients.ts';
import { MAX_SCHEDULES, type ScheduleRecord } from './records.ts';
import { type GivenTarget, savedTargets } from './save-targets.ts';
import {
  findSchedule,
  type ObjectNamed,
  type ScheduleDeps,
  type ScheduledObject,
  type ScheduleNamed,
} from './scheduled-object.ts';
import { type ShownSchedule, showSchedule } from './show-schedule.ts';

/** Ensures that all schedules of a dashboard or report fit in one reply. */
const MAX_FILTER_BYTES = 16 * 1024;

type Stamps = 'createdBy' | 'updatedBy' | 'createdAt' | 'updatedAt' | 'revision';

/** What an editor chooses of any schedule. */
interface GivenTimes {
  cron: string;
  timezone: string;
  isActive: boolean;
  ownerId?: string | undefined;
  /** Addresses; by default, that of the owner, unless there are targets. */
  recipients?: string[] | undefined;
  targets?: GivenTarget[] | undefined;
}

/** The same with the members of the kind. */
export type GivenSchedule<S extends ScheduleRecord> = Omit<S, keyof Delivery | Stamps | ObjectMember> & GivenTimes;

type NewSchedule<S extends ScheduleRecord> = ObjectNamed & {
  newId: string;
  schedule: GivenSchedule<S>;
  apiUrl: string;
};

/** Throws the errors of the kind, `MAIL_NOT_CONFIGURED`, `ADDRESS_BLOCKED` or `VALIDATION_FAILED`. */
export async function createSchedule<S extends ScheduleRecord>(
  deps: ScheduleDeps<S>,
  { newId: id, schedule: given, apiUrl, ...named }: NewSchedule<S>,
): Promise<ShownSchedule<S>> {
  const { workspaceId, userId } = named.principal;
  const object = await deps.object(named);
  const earlier = await deps.schedules.ofObject(workspaceId, named.id);
  if (earlier.filter((each) => each.id !== id).length >= MAX_SCHEDULES) throw new AppError(deps.kind.codes.tooMany);
  const { cron, ownerId = userId, recipients: addresses, targets: wanted = [], ...members }: GivenTimes = given;
  const people = await deliveryPeople(deps, workspaceId);
  const { targets, issues: targetIssues } = await savedTargets(deps, {
    workspaceId,
    given: wanted,
    before: [],
    people,
  });
  const at = deps.now().toISOString();
  const owner = people.member(ownerId);
  const record = {
    ...members,
    ...deps.kind.object(named.id),
    id,
    workspaceId,
    cron,
    owner: owner ?? { userId: ownerId },
    recipients: addresses ? people.recipients(addresses) : owner && wanted.length === 0 ? [owner] : [],
    targets,
    apiUrl,
    createdBy: userId,
    updatedBy: userId,
    createdAt: at,
    updatedAt: at,
    revision: 1,
    // The type of a spread cannot tell that these are all members of the kind.
  } as unknown as S;
  const issues = [...people.issues(addresses ?? []), ...targetIssues, ...ownerIssues(owner)];
  assertMailed(deps, record);
  await assertValid(deps, { record, object, issues });
  return showSchedule(deps, { object, schedule: await stored(deps, object, record) });
}

/** Creates no schedule if its dashboard or report has been deleted in the meantime. */
async function stored<S extends ScheduleRecord>(
  { schedules, kind }: ScheduleDeps<S>,
  { presentItem }: ScheduledObject<S>,
  record: S,
): Promise<S> {
  try {
    return await schedules.create(record, [presentItem]);
  } catch (cause) {
    throw failedConditions(cause).size > 0 ? new AppError(kind.codes.objectNotFound, { cause }) : cause;
  }
}

/** The same for an existing schedule. */
export function updateSchedule<S extends ScheduleRecord>(
  deps: ScheduleDeps<S>,
  { change, apiUrl, ...named }: ScheduleNamed & { change: Partial<GivenSchedule<S>>; apiUrl: string },
): Promise<ShownSchedule<S>> {
  const { workspaceId, userId } = named.principal;
  return onNewest('STALE_WRITE', async () => {
    const { object, schedule: before } = await findSchedule(deps, named);
    const {
      cron = before.cron,
      ownerId,
      recipients: addresses,
      targets: given,
      ...members
    }: Partial<GivenTimes> = change;
    const people = await deliveryPeople(deps, workspaceId);
    const owner = ownerId === undefined ? before.owner : people.member(ownerId);
    // Drops members who have left the workspace since the last change.
    const recipients = addresses ? people.recipients(addresses) : before.recipients.filter(people.isLeft);
    const saved = given && (await savedTargets(deps, { workspaceId, given, before: before.targets ?? [], people }));
    const next: S = {
      ...before,
      ...members,
      cron,
      owner: owner ?? before.owner,
      recipients,
      ...(saved && { targets: saved.targets }),
      unsubscribed: stillUnsubscribed(before, recipients),
      apiUrl,
      updatedBy: userId,
      updatedAt: later(before.updatedAt, deps.now()),
    };
    const userIds = (addresses ?? []).map((each) => people.find(each)?.userId);
    const issues = [
      ...people.issues(addresses ?? []),
      ...unsubscribedIssues(before, userIds, { userId, member: 'recipients' }),
      ...(saved?.issues ?? []),
      ...ownerIssues(owner),
    ];
    if (addresses) assertMailed(deps, next);
    await assertValid(deps, { record: next, before, object, issues });
    return showSchedule(deps, { object, schedule: await deps.schedules.replace(before, next) });
  });
}

/** Returns the schedule as it was. Its runs are removed. Throws the not-found errors of the kind. */
export function deleteSchedule<S extends ScheduleRecord>(
  deps: ScheduleDeps<S>,
  named: ScheduleNamed,
): Promise<ShownSchedule<S>> {
  return onNewest('STALE_WRITE', async () => {
    const found = await findSchedule(deps, named);
    const shown = await showSchedule(deps, found);
    await deps.schedules.remove(found.schedule, [deps.cleanUpItem(found.schedule)]);
    return shown;
  });
}

const ownerIssues = (owner: DeliveryPerson | undefined): Issue[] =>
  owner ? [] : [{ pointer: '/ownerId', code: 'NOT_A_MEMBER', message: 'is not a member of the workspace' }];

interface Saved<S extends ScheduleRecord> {
  record: S;
  before?: S;
  object: ScheduledObject<S>;
  issues: readonly Issue[];
}

async function assertValid<S extends ScheduleRecord>(
  deps: ScheduleDeps<S>,
  { record, before, object, issues }: Saved<S>,
): Promise<void> {
  const errors: Issue[] = [
    ...deliveryTimeIssues(record, deps.now()),
    ...issues,
    ...(jsonBytes(record.filters ?? []) > MAX_FILTER_BYTES ? [TOO_LARGE] : object.issues(record, before)),
  ];
  const outside = outsiderPointer(record);
  if (errors.length === 0 && outside) {
    for (const reads of await protectedSources(deps, await object.sources(record), record)) {
      const message = `cannot receive this content: only members can receive tables with row-level security or sensitivity labels, and ${reads}; remove this recipient or target, or leave out those tables`;
      errors.push({ pointer: outside, code: 'ROW_RIGHTS', message });
    }
  }
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}

/** The first receiver that is no member. */
function outsiderPointer({ recipients, targets = [] }: ScheduleRecord): string | undefined {
  const outside = recipients.findIndex(({ address }) => address !== undefined);
  if (outside >= 0) return `/recipients/${outside}`;
  return targets.length > 0 ? '/targets/0' : undefined;
}

/** Targets need no mail. */
function assertMailed({ sendsMail }: { sendsMail: boolean }, { recipients }: ScheduleRecord): void {
  if (!sendsMail && recipients.length > 0) throw new AppError('MAIL_NOT_CONFIGURED');
}

const TOO_LARGE = { pointer: '/filters', code: 'TOO_LARGE', message: 'must not exceed 16 KiB as JSON' };

/** What row-level security or sensitivity labels restrict of what the schedule sends: a text for each card or block. */
async function protectedSources<S extends ScheduleRecord>(
  deps: Pick<ScheduleDeps<S>, 'protectedReads'>,
  sources: Awaited<ReturnType<ScheduledObject<S>['sources']>>,
  { workspaceId }: S,
): Promise<string[]> {
  const found: string[] = [];
  for (const { name, source } of sources) {
    const tables = await deps.protectedReads(workspaceId, source);
    if (tables.length > 0) found.push(`${name} reads ${tables.join(', ')}`);
  }
  return found;
}
