import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import { deleteItems } from '../../../platform/storage/delete-items.ts';
import type { DueItem } from '../../../platform/storage/due-items.ts';
import { ifHolds } from '../../../platform/storage/if-holds.ts';
import type { Key } from '../../../platform/storage/keys.ts';
import { itemsBelow } from '../../../platform/storage/query-items.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { type Change, updateOf } from '../../../platform/storage/update.ts';
import { endIdentities } from '../../identity/identity-providers/index.ts';
import { endPasskeys } from '../../identity/passkeys/index.ts';
import {
  countErasedWorkspace,
  emailKey,
  listUsers,
  listWorkspaces,
  readCompany,
  readUser,
  readWorkspace,
  type UserRecord,
  userRecordKey,
  workspaceRecordKey,
} from '../../tenancy/workspaces/index.ts';
import {
  closeCompany,
  type Deletion,
  deletionKey,
  readDeletion,
  restoreWorkspace,
  workspaceDeletions,
} from '../deletions/index.ts';
import { endStreams } from './end-streams.ts';
import { itemsOfCompany, itemsOfWorkspace, scanItems } from './scan-items.ts';

/** Longer than one worker erases, so that another takes over only after a crash. */
const LEASE_MS = 10 * 60_000;
const AGAIN_MS = 60_000;
const OBJECTS_AT_ONCE = 1000;

export interface EraseContext {
  table: Table;
  objects: ObjectStore;
  now(): Date;
  /** Whether the worker must stop; another one goes on from there. */
  isOver(): boolean;
}

/**
 * Goes on with a deletion that is due. Every step may be repeated, and the place in the step is stored, so that a crash
 * costs the work of one worker at most. Of two workers at the same deletion, the second finds it leased.
 */
export async function eraseDue(context: EraseContext, item: DueItem): Promise<void> {
  const { table, now } = context;
  const deletion = await readDeletion(table, item);
  if (!deletion || deletion.dueAt > now().toISOString()) return;
  if (deletion.deletesAt > now().toISOString()) return closeAgain(context, deletion);
  if (await isRestored(context, deletion)) return;
  const until = new Date(now().getTime() + LEASE_MS).toISOString();
  const claimed = await change(table, deletion, { set: { phase: 'erasing', dueAt: until } }, { dueAt: deletion.dueAt });
  if (!claimed) return;
  const next = deletion.workspaceId === null ? eraseCompany : eraseWorkspace;
  const rest = await next(context, deletion);
  if (rest) {
    const dueAt = new Date(now().getTime() + rest.afterMs).toISOString();
    await change(table, deletion, { set: { dueAt, step: rest.step, cursor: rest.cursor } }, { dueAt: until });
  } else {
    await table.db.send(new DeleteCommand({ TableName: table.name, Key: deletionKey(deletion) }));
  }
}

/** What is left to do, and when. */
interface Rest {
  step: string;
  cursor?: Key | undefined;
  afterMs: number;
}

/** The company was deleted just now: its workspaces follow, and nothing else happens until `deletesAt`. */
async function closeAgain({ table, now }: EraseContext, deletion: Deletion & { dueAt: string }): Promise<void> {
  const company = await readCompany(table, deletion.companyId);
  if (company) await closeCompany(table, company, now());
  await change(table, deletion, { set: { dueAt: deletion.deletesAt } }, { dueAt: deletion.dueAt });
}

/** A crash while a company was restored has left a workspace behind. */
async function isRestored({ table, now }: EraseContext, deletion: Deletion): Promise<boolean> {
  if (!deletion.withCompany || deletion.phase !== 'grace') return false;
  const company = await readCompany(table, deletion.companyId);
  if (!company || company.deletesAt !== undefined) return false;
  const workspace = await readWorkspace(table, deletion.workspaceId!);
  return workspace !== undefined && (await restoreWorkspace(table, workspace, now(), { evenLate: true }));
}

/**
 * The record of the workspace goes last: as long as it exists, it ends every access, and the company waits for it. The
 * objects are removed once more before it, because work that began before the deletion may have written some.
 */
async function eraseWorkspace(context: EraseContext, deletion: Deletion): Promise<Rest | undefined> {
  const { table, now, isOver } = context;
  const workspaceId = deletion.workspaceId!;
  const { step = 'streams' } = deletion;
  if (step === 'streams') {
    const isLate = now().getTime() > Date.parse(deletion.deletesAt) + 24 * 60 * 60_000;
    if (!(await endStreams(table, workspaceId, now())) && !isLate) return { step, afterMs: AGAIN_MS };
  }
  if (step === 'streams' || step === 'objects') {
    if (!(await removeObjects(context, workspaceId))) return { step: 'objects', afterMs: 0 };
  }
  const record = workspaceRecordKey(workspaceId);
  if (step !== 'record') {
    const cursor = await scanItems(
      table,
      { filter: itemsOfWorkspace(workspaceId), start: deletion.cursor, isOver },
      (keys) => deleteItems(table, except(keys, record), () => false),
    );
    if (cursor) return { step: 'items', cursor, afterMs: 0 };
  }
  if (!(await removeObjects(context, workspaceId))) return { step: 'record', afterMs: 0 };
  await eraseRecord(table, record, deletion.companyId);
  return undefined;
}

/** The count of the company drops once, however often this is repeated. */
async function eraseRecord(table: Table, Key: Key, companyId: string): Promise<void> {
  try {
    await transact(table, [
      { Delete: { TableName: table.name, Key, ConditionExpression: 'attribute_exists(pk)' } },
      countErasedWorkspace(table, companyId),
    ]);
  } catch (cause) {
    if (failedConditions(cause).size === 0) throw cause;
    // It was erased before, or its company is gone.
    await table.db.send(new DeleteCommand({ TableName: table.name, Key }));
  }
}

async function removeObjects({ objects, isOver }: EraseContext, workspaceId: string): Promise<boolean> {
  for (const prefix of [`W/${workspaceId}/`, `staging/W/${workspaceId}/`, `results/${workspaceId}/`]) {
    for (;;) {
      if (isOver()) return false;
      const found = await objects.list(prefix, OBJECTS_AT_ONCE);
      if (found.length === 0) break;
      await objects.remove(found.map(({ key }) => key));
    }
  }
  return true;
}

/**
 * The workspaces go first, each by a deletion of its own; then the people, and last what belongs to the company itself.
 */
async function eraseCompany(context: EraseContext, deletion: Deletion): Promise<Rest | undefined> {
  const { table, now, isOver } = context;
  const { companyId } = deletion;
  const company = await readCompany(table, companyId);
  if (company) await closeCompany(table, company, now());
  const isWaiting =
    (await listWorkspaces(table, companyId)).items.length > 0 ||
    (await workspaceDeletions(table, companyId)).length > 0;
  if (isWaiting) return { step: 'workspaces', afterMs: AGAIN_MS };
  for (const user of (await listUsers(table, companyId)).items) {
    if (isOver()) return { step: 'people', afterMs: 0 };
    await erasePerson(table, user);
  }
  const cursor = await scanItems(
    table,
    { filter: itemsOfCompany(companyId), start: deletion.cursor, isOver },
    async (keys) => {
      // People who are in no list, such as those whom an identity provider has removed.
      for (const { pk } of keys.filter(isPerson)) await erasePerson(table, await readUser(table, userOf(pk)));
      const rest = except(keys, deletionKey(deletion)).filter((key) => !isPerson(key));
      await deleteItems(table, rest, () => false);
    },
  );
  return cursor && { step: 'items', cursor, afterMs: 0 };
}

const PERSON = userRecordKey('');
const isPerson = ({ pk, sk }: Key): boolean => pk.startsWith(PERSON.pk) && sk === PERSON.sk;
const userOf = (pk: string): string => pk.slice(PERSON.pk.length);

/** Everything of a person, with what leads to it. May be repeated. */
async function erasePerson(table: Table, user: UserRecord | undefined): Promise<void> {
  if (!user) return;
  const never = () => false;
  await endPasskeys(table, { userId: user.id }, never);
  await endIdentities(table, { userId: user.id }, never);
  await releaseAddress(table, user);
  const keys = await Array.fromAsync(itemsBelow(table, { ...userRecordKey(user.id), sk: '' }), keyOf);
  // The record itself last: it is how the person is found again after a crash.
  const record = keys.filter(isPerson);
  await deleteItems(table, [...keys.filter((key) => !isPerson(key)), ...record], never);
}

/**
 * The address may belong to a person of another company by now: an identity provider that removes people sets theirs
 * free.
 */
const releaseAddress = (table: Table, { id, email }: UserRecord): Promise<boolean> =>
  ifHolds(
    table.db.send(
      new DeleteCommand({
        TableName: table.name,
        Key: emailKey(email),
        ConditionExpression: '#owner = :owner',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: { ':owner': id },
      }),
    ),
  );

const except = (keys: readonly Key[], { pk, sk }: Key): Key[] => keys.filter((key) => key.pk !== pk || key.sk !== sk);

const keyOf = (item: Record<string, unknown>): Key => ({ pk: item.pk as string, sk: item.sk as string });

/** Returns false if another worker has changed the deletion, or it is over. */
const change = (table: Table, deletion: Deletion, to: Change, equals: Record<string, unknown>): Promise<boolean> =>
  ifHolds(table.db.send(new UpdateCommand(updateOf(table, deletionKey(deletion), to, { equals }))));
