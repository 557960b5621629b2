import { expect, it } from 'vitest';
import {
  CLEAN_UP_PARTITION,
  cleanUpItem,
  cleanUpItemAt,
  cleanUpNow,
  type Ended,
} from '../../../../shared/platform/storage/clean-ups.ts';
import { dueItems } from '../../../../shared/platform/storage/due-items.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { transact } from '../../../../shared/platform/storage/transact.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const local = useLocalTable();
const AT = new Date('2026-03-01T08:00:00.000Z');
const never = () => false;
const alert = (): Ended => ({ kind: 'alert', workspaceId: newId(), alertId: newId() });

async function dueOf(table: Table, { workspaceId }: Ended) {
  const due = await Array.fromAsync(dueItems(table, CLEAN_UP_PARTITION, AT));
  return due.filter(({ pk }) => pk.includes(workspaceId));
}

it('a request removes what its own domains know, and leaves the rest to the worker', async () => {
  const table = local.open();
  const ended = alert();
  const removed: string[] = [];
  const of = (name: string) => ({ kind: 'alert', remove: async () => removed.push(name) > 0 });
  await transact(table, [cleanUpItem(table, ended, AT)]);
  await cleanUpNow(table, [of('grants')], ended, () => {});
  const [item] = await dueOf(table, ended);
  await cleanUpItemAt(table, [of('grants'), of('runs')], item!, never);
  expect(removed).toEqual(['grants', 'grants', 'runs']);
  expect(await dueOf(table, ended)).toEqual([]);
});

it('an unknown kind is an error, and its item stays', async () => {
  const table = local.open();
  const ended = alert();
  await transact(table, [cleanUpItem(table, ended, AT)]);
  const [item] = await dueOf(table, ended);
  const others = [{ kind: 'group', remove: async () => true }];
  await expect(cleanUpItemAt(table, others, item!, never)).rejects.toThrow('no clean-up is known for "alert"');
  expect(await dueOf(table, ended)).toHaveLength(1);
});

it('what is left, or fails, is tried again, and the clean-ups after it wait', async () => {
  const table = local.open();
  const ended = alert();
  await transact(table, [cleanUpItem(table, ended, AT)]);
  const [item] = await dueOf(table, ended);
  const later = { kind: 'alert', remove: () => Promise.reject(new Error('must wait')) };
  await cleanUpItemAt(table, [{ kind: 'alert', remove: async () => false }, later], item!, never);
  const errors: Error[] = [];
  await cleanUpNow(table, [later], ended, (error) => errors.push(error));
  expect(errors.map(({ message }) => message)).toEqual(['must wait']);
  expect(await dueOf(table, ended)).toHaveLength(1);
});
