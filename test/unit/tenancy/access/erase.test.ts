import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { DeleteCommand, PutCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createCompany,
  listUsers,
  putWorkspace,
  readCompany,
  readWorkspace,
  type WorkspaceRecord,
} from '../../../../shared/domains/tenancy/workspaces/index.ts';
import {
  deleteCompany,
  deleteWorkspace,
  restoreCompany,
  restoreWorkspace,
} from '../../../../shared/domains/upkeep/deletions/index.ts';
import { eraseDue } from '../../../../shared/domains/upkeep/erasure/index.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import { companyKey, uniqueKey, workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { transact } from '../../../../shared/platform/storage/transact.ts';
import { updateOf } from '../../../../shared/platform/storage/update.ts';
import { asProcess, Crashed } from '../../../support/crash.ts';
import { LOCAL_ACCESS, useLocalTable } from '../../../support/local-table.ts';

const local = useLocalTable();
const START = new Date('2026-03-01T12:00:00.000Z');
const END = '2026-03-31T12:00:00.000Z';
const terms = { at: START, deletesAt: END };

let table: Table;
let s3: S3Client;
beforeAll(async () => {
  table = local.open();
  s3 = new S3Client({ endpoint: local.cloud.endpoint, forcePathStyle: true, ...LOCAL_ACCESS });
  await s3.send(new CreateBucketCommand({ Bucket: 'data' }));
});

async function givenCompany(): Promise<WorkspaceRecord> {
  const [companyId, workspaceId, userId] = [newId(), newId(), newId()];
  const at = START.toISOString();
  const workspace = { id: workspaceId, companyId, name: 'First', createdAt: at, updatedAt: at, revision: 1 };
  await createCompany(table, {
    companyId,
    companyName: 'Acme',
    workspace,
    owner: {
      id: userId,
      companyId,
      companyRole: 'company_admin',
      email: `${userId}@example.com`,
      name: 'Ada',
      active: true,
      createdAt: at,
      updatedAt: at,
    },
  });
  return workspace;
}

const deletionKeyOf = ({ companyId, id }: WorkspaceRecord) => companyKey(companyId, `DELETION#${id}`);

/** One worker that finds the deletion due at `now`. */
function erase(item: { pk: string; sk: string }, now: string, using = table, isOver = () => false) {
  const objects = objectStore('data', s3);
  return eraseDue({ table: using, objects, now: () => new Date(now), isOver }, { ...item, dueAt: '' });
}

/** Everything in the table that names the id. */
async function mentions(id: string): Promise<string[]> {
  const found: string[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const page = await table.db.send(new ScanCommand({ TableName: table.name, ExclusiveStartKey: from }));
    for (const item of page.Items ?? []) if (JSON.stringify(item).includes(id)) found.push(`${item.pk} ${item.sk}`);
    from = page.LastEvaluatedKey;
  } while (from);
  return found;
}

async function fill({ id }: WorkspaceRecord, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await table.db.send(new PutCommand({ TableName: table.name, Item: workspaceKey(id, `THING#${n}`, 'META') }));
  }
  await objectStore('data', s3).write(`W/${id}/uploads/a.csv`, Buffer.from('x'), 'text/csv');
  await objectStore('data', s3).write(`results/${id}/b`, Buffer.from('x'), 'text/csv');
}

describe('erasing a workspace', () => {
  it('waits for the end of the grace period, to the millisecond', async () => {
    const workspace = await givenCompany();
    await deleteWorkspace(table, workspace, terms);
    await erase(deletionKeyOf(workspace), '2026-03-31T11:59:59.999Z');
    expect(await readWorkspace(table, workspace.id)).toMatchObject({ deletesAt: END });
    await erase(deletionKeyOf(workspace), END);
    expect(await mentions(workspace.id)).toEqual([]);
  });

  it('and restoring it exclude each other', async () => {
    const workspace = await givenCompany();
    const deleted = await deleteWorkspace(table, workspace, terms);
    expect(await restoreWorkspace(table, deleted, new Date(END))).toBe(false);
    await erase(deletionKeyOf(workspace), END, table, () => true);
    expect(await restoreWorkspace(table, deleted, new Date('2026-03-31T11:00:00.000Z'))).toBe(false);
    expect(await restoreWorkspace(table, workspace, START)).toBe(true);
  });

  it('goes on after a crash at any of its writes, and leaves nothing of it and everything of others', async () => {
    const other = await givenCompany();
    const before = await mentions(other.id);
    for (let fatal = 0; ; fatal++) {
      const workspace = await givenCompany();
      await fill(workspace, 3);
      await deleteWorkspace(table, workspace, terms);
      let writes = 0;
      const crashing = local.open(() => (writes++ === fatal ? (fatal % 2 ? 'after' : 'before') : undefined));
      const work = asProcess(() => erase(deletionKeyOf(workspace), END, crashing));
      const hasCrashed = await work.then(
        () => false,
        (error: unknown) => {
          if (!(error instanceof Crashed)) throw error;
          return true;
        },
      );
      // Another worker takes over once the lease of the dead one has ended.
      if (hasCrashed) await erase(deletionKeyOf(workspace), '2026-03-31T12:30:00.000Z');
      expect(await mentions(workspace.id), `crash at write ${fatal}`).toEqual([]);
      expect((await readCompany(table, workspace.companyId))?.workspaceCount, `crash at write ${fatal}`).toBe(0);
      for (const prefix of ['W', 'results']) {
        expect(await objectStore('data', s3).list(`${prefix}/${workspace.id}/`)).toEqual([]);
      }
      if (!hasCrashed) break;
      expect(fatal).toBeLessThan(20);
    }
    expect(await mentions(other.id)).toEqual(before);
  });

  it('keeps the record of the workspace to the end', async () => {
    const workspace = await givenCompany();
    await fill(workspace, 150);
    await deleteWorkspace(table, workspace, terms);
    const { pk } = workspaceKey(workspace.id, 'META', '');
    const recorded = local.open(({ input }) => {
      left.push(JSON.stringify(input).includes(`"${pk}"`));
      return undefined;
    });
    const left: boolean[] = [];
    await erase(deletionKeyOf(workspace), END, recorded);
    // The last write removes the deletion itself.
    expect(left.lastIndexOf(true)).toBe(left.length - 2);
    expect(left.filter(Boolean)).toHaveLength(1);
    expect(await mentions(workspace.id)).toEqual([]);
  });

  it('removes objects that were written while its items were erased', async () => {
    const workspace = await givenCompany();
    await fill(workspace, 1);
    await deleteWorkspace(table, workspace, terms);
    const objects = objectStore('data', s3);
    let isWritten = false;
    const late: typeof objects = {
      ...objects,
      async list(prefix, ...rest) {
        const found = await objects.list(prefix, ...rest);
        if (prefix.startsWith('results/') && found.length === 0 && !isWritten) {
          isWritten = true;
          await objects.write(`W/${workspace.id}/late`, Buffer.from('x'), 'text/csv');
        }
        return found;
      },
    };
    const context = { table, objects: late, now: () => new Date(END), isOver: () => false };
    await eraseDue(context, { ...deletionKeyOf(workspace), dueAt: '' });
    expect(isWritten).toBe(true);
    expect(await objects.list(`W/${workspace.id}/`)).toEqual([]);
  });

  it('is the work of one worker at a time, and stops when its time is over', async () => {
    const workspace = await givenCompany();
    await fill(workspace, 2);
    await deleteWorkspace(table, workspace, terms);
    await erase(deletionKeyOf(workspace), END, table, () => true);
    expect(await mentions(workspace.id)).not.toEqual([]);
    const leased = { set: { dueAt: '2026-03-31T12:10:00.000Z' } };
    await table.db.send(new UpdateCommand(updateOf(table, deletionKeyOf(workspace), leased)));
    await erase(deletionKeyOf(workspace), '2026-03-31T12:09:59.000Z');
    expect(await mentions(workspace.id)).not.toEqual([]);
    await erase(deletionKeyOf(workspace), '2026-03-31T12:10:00.000Z');
    expect(await mentions(workspace.id)).toEqual([]);
  });
});

describe('deleting a company', () => {
  const companyItem = (companyId: string) => companyKey(companyId, 'DELETION#COMPANY');

  async function givenDeleted() {
    const first = await givenCompany();
    const { companyId } = first;
    const second = { ...first, id: newId(), name: 'Second' };
    await transact(table, [putWorkspace(table, second)]);
    await deleteWorkspace(table, second, { at: START, deletesAt: '2026-03-10T00:00:00.000Z' });
    const company = (await readCompany(table, companyId))!;
    await deleteCompany(table, company, terms);
    return { companyId, first, second };
  }

  it('deletes its workspaces with it, and restores them with it but not those deleted before', async () => {
    const { companyId, first, second } = await givenDeleted();
    expect(await readWorkspace(table, first.id)).toMatchObject({ deletesAt: END });
    expect(await readWorkspace(table, second.id)).toMatchObject({ deletesAt: '2026-03-10T00:00:00.000Z' });
    expect(await restoreCompany(table, (await readCompany(table, companyId))!, START)).toBe(true);
    expect((await readWorkspace(table, first.id))!.deletesAt).toBeUndefined();
    expect((await readWorkspace(table, second.id))!.deletesAt).toBe('2026-03-10T00:00:00.000Z');
    expect((await readCompany(table, companyId))!.deletesAt).toBeUndefined();
  });

  it('keeps its workspaces deleted until it is restored', async () => {
    const { companyId, first, second } = await givenDeleted();
    for (const { id } of [first, second]) {
      const workspace = (await readWorkspace(table, id))!;
      await expect(restoreWorkspace(table, workspace, START)).rejects.toMatchObject({ code: 'COMPANY_DELETED' });
      expect(await readWorkspace(table, id)).toEqual(workspace);
    }
    await restoreCompany(table, (await readCompany(table, companyId))!, START);
    expect(await restoreWorkspace(table, (await readWorkspace(table, second.id))!, START)).toBe(true);
  });

  it('is completed by the worker if it was interrupted, and so is restoring', async () => {
    const workspace = await givenCompany();
    const { companyId } = workspace;
    const company = (await readCompany(table, companyId))!;
    let writes = 0;
    const crashing = local.open(() => (writes++ === 1 ? 'before' : undefined));
    await expect(asProcess(() => deleteCompany(crashing, company, terms))).rejects.toThrow(Crashed);
    expect((await readWorkspace(table, workspace.id))!.deletesAt).toBeUndefined();
    await erase(companyItem(companyId), START.toISOString());
    expect((await readWorkspace(table, workspace.id))!.deletesAt).toBe(END);

    writes = 0;
    const dying = local.open(() => (writes++ === 1 ? 'before' : undefined));
    const deleted = (await readCompany(table, companyId))!;
    await expect(asProcess(() => restoreCompany(dying, deleted, START))).rejects.toThrow(Crashed);
    await erase(deletionKeyOf(workspace), END);
    expect((await readWorkspace(table, workspace.id))!.deletesAt).toBeUndefined();
    expect((await readCompany(table, companyId))!.deletesAt).toBeUndefined();
  });

  it('erases workspaces, people and the company in the end', async () => {
    const { companyId, first, second } = await givenDeleted();
    const company = companyItem(companyId);
    const [owner] = (await listUsers(table, companyId)).items;
    await erase(company, START.toISOString());
    await erase(company, END);
    expect(await mentions(companyId)).toContain(`W#${first.id}#META META`);
    await erase(deletionKeyOf(second), END);
    await erase(deletionKeyOf(first), END);
    await erase(company, '2026-03-31T12:01:00.000Z');
    expect(await mentions(companyId)).toEqual([]);
    expect(await mentions(owner!.email)).toEqual([]);
  });

  it('waits for the deletion of a workspace that has no record any more', async () => {
    const { companyId, first, second } = await givenDeleted();
    await fill(first, 1);
    for (const { id } of [first, second]) {
      await table.db.send(new DeleteCommand({ TableName: table.name, Key: workspaceKey(id, 'META', 'META') }));
    }
    await erase(companyItem(companyId), END);
    await erase(companyItem(companyId), '2026-03-31T12:01:00.000Z');
    await erase(deletionKeyOf(second), END);
    await erase(deletionKeyOf(first), END);
    expect(await mentions(first.id)).toEqual([]);
    await erase(companyItem(companyId), '2026-03-31T12:10:00.000Z');
    await erase(companyItem(companyId), '2026-03-31T12:20:00.000Z');
    expect(await mentions(companyId)).toEqual([]);
  });

  it('frees the names of its people', async () => {
    const { companyId, first, second } = await givenDeleted();
    for (const area of ['USER-NAME', 'USER-EXTERNAL-ID']) {
      const Item = { ...uniqueKey(`C#${companyId}#${area}`, 'ada'), entity: 'unique', owner: newId() };
      await table.db.send(new PutCommand({ TableName: table.name, Item }));
    }
    await erase(companyItem(companyId), START.toISOString());
    for (const { id } of [first, second]) await erase(deletionKeyOf({ ...first, id }), END);
    await erase(companyItem(companyId), END);
    expect(await mentions(companyId)).toEqual([]);
  });
});
