import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { CLEAN_UPS } from '../../../../functions/platform/workers/minute-tick/clean-ups.ts';
import { newLinkToken, type ShareRecord, shareRepository } from '../../../../shared/domains/sharing/shares/index.ts';
import { CLEAN_UP_PARTITION, cleanUpItem, cleanUpItemAt } from '../../../../shared/platform/storage/clean-ups.ts';
import { dueItems } from '../../../../shared/platform/storage/due-items.ts';
import { newId } from '../../../../shared/platform/storage/ids.ts';
import type { Table } from '../../../../shared/platform/storage/table.ts';
import { transact } from '../../../../shared/platform/storage/transact.ts';
import { useLocalTable } from '../../../support/local-table.ts';

const local = useLocalTable();
const AT = new Date('2026-03-01T08:00:00.000Z');

const shareTo = (workspaceId: string, content: Pick<ShareRecord, 'contentType' | 'contentId'>): ShareRecord => {
  const { digest, prefix } = newLinkToken('share');
  const stamps = { createdBy: newId(), updatedBy: newId(), createdAt: AT.toISOString(), updatedAt: AT.toISOString() };
  return {
    id: newId(),
    workspaceId,
    companyId: newId(),
    ...content,
    shareType: 'public',
    rlsContext: null,
    tokenPrefix: prefix,
    tokenDigest: digest,
    passwordHash: null,
    allowExport: false,
    preview: 'title',
    allowAi: false,
    aiRatePerHour: 20,
    validUntil: null,
    ...stamps,
    revision: 1,
  };
};

async function ofShares(table: Table): Promise<string> {
  const { Items } = await table.db.send(new ScanCommand({ TableName: table.name, ConsistentRead: true }));
  return JSON.stringify(Items!.filter(({ entity }) => /^share/.test(entity as string)));
}

it.each(['dashboard', 'report'] as const)(
  'links end with the %s that they open, in turns, and no others do',
  async (type) => {
    const table = local.open();
    const [workspaceId, id] = [newId(), newId()];
    const shares = shareRepository(table);
    const ended = [1, 2].map(() => shareTo(workspaceId, { contentType: type, contentId: id }));
    const kept = [
      shareTo(workspaceId, { contentType: type, contentId: newId() }),
      shareTo(workspaceId, { contentType: type === 'report' ? 'dashboard' : 'report', contentId: id }),
      shareTo(newId(), { contentType: type, contentId: id }),
    ];
    for (const share of [...ended, ...kept]) {
      await shares.create(share);
      await shares.count(share, { views: 1 });
    }
    const place = type === 'report' ? { kind: type, reportId: id } : ({ kind: type, dashboardId: id } as const);
    await transact(table, [cleanUpItem(table, { workspaceId, ...place }, AT)]);
    let turns = 0;
    for (let due = [{ pk: '', sk: '' }]; due.length > 0; turns += 1) {
      due = await Array.fromAsync(dueItems(table, CLEAN_UP_PARTITION, AT));
      let left = 3;
      for (const item of due) await cleanUpItemAt(table, CLEAN_UPS, item, () => left-- <= 0);
    }
    expect(turns).toBeGreaterThan(1);
    const rest = await ofShares(table);
    for (const { id: shareId, tokenDigest } of ended) expect(rest).not.toMatch(new RegExp(`${shareId}|${tokenDigest}`));
    for (const { id: shareId, tokenDigest } of kept) {
      expect(rest).toContain(shareId);
      expect(rest).toContain(tokenDigest);
    }
    expect((await shares.list(workspaceId, { limit: 10, offset: 0 })).total).toBe(2);
  },
);
