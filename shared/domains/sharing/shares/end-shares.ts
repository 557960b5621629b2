import type { CleanUp } from '../../../platform/storage/clean-ups.ts';
import { deleteItems } from '../../../platform/storage/delete-items.ts';
import { everyRecord } from '../../../platform/storage/every-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { dashboardRepository, type EndedDashboard } from '../../boards/dashboards/index.ts';
import { type EndedReport, reportRepository } from '../../boards/reports/index.ts';
import { type EndedStory, storyRepository } from '../../stories/stories/index.ts';
import type { LinkReader, ShareRecord } from './records.ts';
import { embeddedUsage, shareRepository, usageKey } from './share-repository.ts';

type Place = Pick<LinkReader, 'workspaceId' | 'content'>;

/** Removes the links to content that was purged. Returns false if some are left once `isOver` is true. */
async function endShares(table: Table, place: Place, isOver: () => boolean): Promise<boolean> {
  const { workspaceId, content } = place;
  if (await REPOSITORIES[content.type](table).get(workspaceId, content.id)) return true;
  const shares = shareRepository(table);
  for await (const share of everyRecord<ShareRecord>(table, workspaceId, 'share')) {
    if (share.contentType !== content.type || share.contentId !== content.id) continue;
    if (isOver()) return false;
    await shares.purge(share);
  }
  return deleteItems(table, [usageKey(workspaceId, embeddedUsage(content.id))], isOver);
}

const REPOSITORIES = { dashboard: dashboardRepository, report: reportRepository, story: storyRepository };

/** Links end with the content that they open. */
export const shareCleanUps: readonly [CleanUp<EndedDashboard>, CleanUp<EndedReport>, CleanUp<EndedStory>] = [
  {
    kind: 'dashboard',
    remove: (table, { workspaceId, dashboardId: id }, isOver) =>
      endShares(table, { workspaceId, content: { type: 'dashboard', id } }, isOver),
  },
  {
    kind: 'report',
    remove: (table, { workspaceId, reportId: id }, isOver) =>
      endShares(table, { workspaceId, content: { type: 'report', id } }, isOver),
  },
  {
    kind: 'story',
    remove: (table, { workspaceId, storyId: id }, isOver) =>
      endShares(table, { workspaceId, content: { type: 'story', id } }, isOver),
  },
];
