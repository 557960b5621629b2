import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { newId } from '../storage/ids.ts';
import type { Key } from '../storage/keys.ts';
import type { Table, TransactItem } from '../storage/table.ts';
import { failedConditions, transact } from '../storage/transact.ts';
import { type Act, type AuditActor, type AuditPlace, currentAct } from './act.ts';
import type { AuditAction, AuditSubject } from './actions.ts';
import type { Members } from './changes.ts';
import { retentionDaysOf } from './settings.ts';

const MAX_USER_AGENT = 300;
const DAY_SECONDS = 24 * 60 * 60;

export interface AuditObject {
  type: string;
  id: string;
  name: string | null;
}

/** An entry of the log as stored. Nothing changes it. */
export interface AuditEntry {
  id: string;
  at: string;
  companyId: string;
  workspaceId: string | null;
  action: AuditAction;
  actor: AuditActor;
  object: AuditObject;
  before: Members | null;
  after: Members | null;
  address: string | null;
  userAgent: string | null;
  requestId: string;
}

/** What a write does, for its entry. */
export interface AuditedChange {
  /** Logged if the route declares it; else the route's own action on the same subject, such as `api_key.revoked`. */
  action: `${AuditSubject}.${string}`;
  object: AuditObject;
  before?: Members;
  after?: Members;
  /** Required where the route needs no credentials. */
  actor?: AuditActor;
  /** Where it is another than that of the caller. */
  place?: AuditPlace;
}

export const companyLogKey = (companyId: string, month: string, sk: string): Key => ({
  pk: `C#${companyId}#AUDIT#${month}`,
  sk,
});

/** The list of a workspace's entries of a month, in the index by collection. */
export const workspaceLog = (workspaceId: string, month: string): string => `W#${workspaceId}#AUDIT#${month}`;

/** Entries lie in a partition for each company and month, so that none grows without end. */
export const monthOf = (at: string): string => at.slice(0, 7);

/**
 * The entry for the transaction of the change, so that no act goes unlogged and no failed one is logged: none or one
 * item, to be the last of the transaction. Empty unless the request's route declares an action on the subject.
 */
export async function auditItems(table: Table, change: AuditedChange): Promise<TransactItem[]> {
  const put = await entryPut(table, change);
  return put ? [{ Put: put }] : [];
}

/** Logs an act that writes nothing else, such as an export. */
export async function recordAct(table: Table, change: AuditedChange): Promise<void> {
  const put = await entryPut(table, change);
  if (put) await table.db.send(new PutCommand(put));
}

/**
 * A conditional write together with its entry. Returns false if its condition does not hold; nothing is logged then.
 */
export async function holdsAudited(table: Table, write: TransactItem, change: AuditedChange): Promise<boolean> {
  try {
    await transact(table, [write, ...(await auditItems(table, change))]);
    return true;
  } catch (cause) {
    if (failedConditions(cause).has(0)) return false;
    throw cause;
  }
}

async function entryPut(table: Table, change: AuditedChange) {
  const act = currentAct();
  const action = act && declaredAction(act, change.action);
  if (!act || !action) return undefined;
  const entry = newEntry(act, { ...change, action }, table.now());
  const { companyId, workspaceId, at, id } = entry;
  const days = await retentionDaysOf(table, companyId);
  const position = `${at}#${id}`;
  return {
    TableName: table.name,
    Item: {
      ...entry,
      ...companyLogKey(companyId, monthOf(at), position),
      entity: 'audit',
      ...(workspaceId === null ? {} : { collection: workspaceLog(workspaceId, monthOf(at)), position }),
      expiresAt: Math.floor(Date.parse(at) / 1000) + days * DAY_SECONDS,
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  };
}

function newEntry(act: Act, change: AuditedChange & { action: AuditAction }, now: Date): AuditEntry {
  const { action, object, before = null, after = null } = change;
  const actor = change.actor ?? act.actor;
  const place = change.place ?? act.place;
  if (!actor || !place) throw new Error(`${action}: name the actor and the company, which the request does not`);
  return {
    id: newId(now),
    at: now.toISOString(),
    companyId: place.companyId,
    workspaceId: place.workspaceId,
    action,
    actor,
    object,
    before,
    after,
    address: act.address === '' ? null : act.address,
    userAgent: act.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
    requestId: act.requestId,
  };
}

function declaredAction({ actions }: Act, wanted: string): AuditAction | undefined {
  const [subject] = wanted.split('.');
  return actions.find((each) => each === wanted) ?? actions.find((each) => each.startsWith(`${subject}.`));
}
