import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { type LinkReader, linkViews, shareRepository } from '../../../../shared/domains/sharing/shares/index.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const local = useLocalTable();
const master = { derive: async () => ({ version: 1, key: Buffer.alloc(32, 7) }) };
const workspaceId = newId();
const linkOf = () => ({ kind: 'share', id: newId(), workspaceId }) as LinkReader;

it('count once for each link, visitor and half hour, and no visitor is stored', async () => {
  let at = Date.parse('2026-03-01T08:00:00.000Z');
  const table: Table = { ...local.open(), now: () => new Date(at) };
  const shares = shareRepository(table);
  const views = linkViews({ table, master }, shares);
  const [link, other] = [linkOf(), linkOf()];
  const counts = async () => {
    const found = await shares.usages(workspaceId, [link.id, other.id]);
    return [link, other].map(({ id }) => found.get(id)?.viewCount ?? 0);
  };
  const visitor = { sourceIp: '2001:db8:1:2:3:4:5:6', userAgent: 'Visiting/1.0' };

  await Promise.all(Array.from({ length: 5 }, () => views.count(link, visitor)));
  // The rest of the network of one customer is the same visitor.
  await views.count(link, { ...visitor, sourceIp: '2001:db8:1:2::99' });
  expect(await counts()).toEqual([1, 0]);
  await views.count(link, { ...visitor, userAgent: 'Other/2.0' });
  await views.count(link, { ...visitor, sourceIp: '192.0.2.7' });
  await views.count(link, { sourceIp: '192.0.2.7' });
  await views.count(other, visitor);
  expect(await counts()).toEqual([4, 1]);

  at += 29 * 60_000;
  await views.count(link, visitor);
  expect(await counts()).toEqual([4, 1]);
  // Also before the table has erased what has expired.
  at += 60_000;
  await Promise.all([views.count(link, visitor), views.count(link, visitor)]);
  expect(await counts()).toEqual([5, 1]);

  const { Items = [] } = await table.db.send(new ScanCommand({ TableName: table.name, ConsistentRead: true }));
  const marks = Items.filter(({ entity }) => entity === 'link-view');
  expect(marks.length).toBeGreaterThanOrEqual(5);
  expect(JSON.stringify(Items)).not.toMatch(/Visiting|2001:db8|192\.0\.2/);
  for (const { expiresAt } of marks) expect(expiresAt).toBeLessThanOrEqual(at / 1000 + 30 * 60);
});
