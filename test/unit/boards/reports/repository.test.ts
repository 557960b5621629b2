import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, it } from 'vitest';
import { endReport, type Report, reportRepository } from '../../../../shared/domains/boards/reports/index.ts';
import { workspaceKey } from '../../../../shared/platform/storage/keys.ts';
import { itemsBelow } from '../../../../shared/platform/storage/query-items.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const DELETED_AT = '2026-01-01T00:00:00.000Z';
const report = (id: string): Report => ({
  id,
  workspaceId: 'w1',
  name: `Report ${id}`,
  description: '',
  isPublished: false,
  ownerId: 'ada',
  blockCount: 0,
  deletedAt: null,
  deletedBy: null,
  createdBy: 'ada',
  updatedBy: 'ada',
  createdAt: DELETED_AT,
  updatedAt: DELETED_AT,
  revision: 1,
  layout: { blocks: [{ id: 'a', type: 'heading', text: 'A' }] },
  parameters: [],
});

const local = useLocalTable();
let table: Table;
beforeAll(() => {
  table = local.open();
});

const itemsOf = async (id: string) =>
  (await Array.fromAsync(itemsBelow(table, workspaceKey('w1', `REPORT#${id}`, '')))).map(({ sk }) => sk);

it('a repeated creation returns the stored report, and changes replace record and content together', async () => {
  const reports = reportRepository(table);
  const first = await reports.create(report('r1'));
  const other = { ...report('r1'), layout: { blocks: [] } };
  expect(await reports.create(other)).toEqual(first);
  const changed = { ...first, layout: { blocks: [] }, updatedAt: '2026-01-02T00:00:00.000Z' };
  expect(await reports.replace(first, changed)).toMatchObject({ revision: 2, blockCount: 0 });
  expect(await reports.read('w1', 'r1')).toMatchObject({ revision: 2, layout: { blocks: [] } });
  await expect(reports.replace(first, changed)).rejects.toMatchObject({ code: 'STALE_WRITE' });
});

it('a record and a content of different moments are no report', async () => {
  const reports = reportRepository(table);
  await reports.create(report('r2'));
  const Item = { ...workspaceKey('w1', 'REPORT#r2', 'CONTENT'), layout: { blocks: [] }, parameters: [], ofRevision: 2 };
  await table.db.send(new PutCommand({ TableName: table.name, Item }));
  await expect(reports.read('w1', 'r2')).rejects.toMatchObject({ code: 'SERVICE_BUSY' });
});

it('a report is purged 30 days after it was deleted', async () => {
  const reports = reportRepository(table);
  const end = () => endReport(table, { workspaceId: 'w1', reportId: 'r3' }, () => false);
  const made = await reports.create(report('r3'));
  expect([await end(), await itemsOf('r3')]).toEqual([true, ['CONTENT', 'META']]);
  const now = new Date().toISOString();
  const deleted = await reports.replace(made, { ...made, deletedAt: now, updatedAt: now });
  expect([await end(), await itemsOf('r3')], 'it can be restored').toEqual([false, ['CONTENT', 'META']]);
  const later = new Date(Date.parse(now) + 1).toISOString();
  await reports.replace(deleted, { ...deleted, deletedAt: DELETED_AT, updatedAt: later });
  expect([await end(), await itemsOf('r3')]).toEqual([true, []]);
  expect(await end(), 'the repetition').toBe(true);
});
