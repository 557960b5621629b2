import type { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { collection } from '../../../../shared/platform/storage/collection.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import type { StoredRecord } from '../../../../shared/platform/storage/stored-record.ts';
import { transact } from '../../../../shared/platform/storage/transact.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const local = useLocalTable();
const RECORDS = 2_050;
const BATCH = 50;

it('a list of several pages is read whole and in order, as is a part of it', async () => {
  const table = local.open();
  const reports = collection<StoredRecord>(table, { entity: 'sample' });
  const workspaceId = newId();
  const records = Array.from({ length: RECORDS }, (_, index) => {
    const at = new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString();
    return { id: newId(), workspaceId, createdAt: at, updatedAt: at };
  });
  for (let start = 0; start < RECORDS; start += BATCH)
    await transact(table, reports.createItems(records.slice(start, start + BATCH)));

  const limits: (number | undefined)[] = [];
  table.db.middlewareStack.add(
    (next) => async (args) => {
      if ('KeyConditionExpression' in args.input) limits.push((args.input as QueryCommand['input']).Limit);
      return next(args);
    },
    { step: 'initialize' },
  );
  const newestFirst = records.toReversed();
  expect((await reports.readAll(workspaceId)).map(({ id }) => id)).toEqual(newestFirst.map(({ id }) => id));
  expect(limits).toEqual([1_000, 1_000, 1_000]);
  limits.length = 0;
  const { items, total } = await reports.list(workspaceId, { limit: 20, offset: 1_990 });
  expect([items.map(({ id }) => id), total]).toEqual([newestFirst.slice(1_990, 2_010).map(({ id }) => id), RECORDS]);
  expect(limits).toEqual([1_000, 1_000, 10]);
});
