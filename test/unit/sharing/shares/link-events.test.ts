import { expect, it } from 'vitest';
import {
  type LinkReader,
  linkEvents,
  linkViews,
  MAX_VISITOR_EVENTS,
  shareRepository,
} from '../../../../shared/domains/sharing/shares/index.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const local = useLocalTable();
const master = { derive: async () => ({ version: 1, key: Buffer.alloc(32, 7) }) };
const workspaceId = newId();

it('reported views count once for each visitor and half hour, other events up to a limit in each hour', async () => {
  let at = Date.parse('2026-03-01T08:00:00.000Z');
  const table: Table = { ...local.open(), now: () => new Date(at) };
  const shares = shareRepository(table);
  const events = linkEvents({ table, master }, shares);
  const link = { kind: 'share', id: newId(), workspaceId } as LinkReader;
  const visitor = { sourceIp: '2001:db8:1:2:3:4:5:6', userAgent: 'Visiting/1.0' };
  const counts = async () => (await shares.usages(workspaceId, [link.id])).get(link.id);

  // A view that the platform counts is not one that a page reports.
  await linkViews({ table, master }, shares).count(link, visitor);
  expect(await events.count(link, visitor, { view: 7, select: 2 })).toBe(3);
  expect(await events.count(link, { ...visitor, sourceIp: '2001:db8:1:2::9' }, { view: 1 })).toBe(0);
  expect(await events.count(link, { sourceIp: '192.0.2.7' }, { view: 1 })).toBe(1);
  expect(await events.count(link, visitor, { filter: MAX_VISITOR_EVENTS - 1 })).toBe(0);
  expect(await events.count(link, visitor, { filter: MAX_VISITOR_EVENTS - 2 })).toBe(MAX_VISITOR_EVENTS - 2);
  expect(await events.count(link, visitor, { error: 1 })).toBe(0);
  expect(await counts()).toMatchObject({
    viewCount: 1,
    events: { view: 2, filter: MAX_VISITOR_EVENTS - 2, select: 2, export: 0, error: 0 },
  });

  at += 30 * 60_000;
  expect(await events.count(link, visitor, { view: 3, error: 1 })).toBe(1);
  at += 30 * 60_000;
  expect(await events.count(link, visitor, { error: 1 })).toBe(1);
  expect(await events.count(link, visitor, {})).toBe(0);
  expect(await counts()).toMatchObject({ viewCount: 1, events: { view: 3, error: 1 } });
});
