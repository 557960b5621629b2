import { assignedStories, type StoryRecord, storySight } from '../../../../shared/domains/stories/stories/index.ts';
import type { ReceivedGrant } from '../../../../shared/domains/tenancy/grants/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { isFound, MAX_OFFSET, selectPage } from '../../../../shared/platform/storage/list-request.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import type { StoryListQuery, StorySummary } from '../schemas.ts';
import type { StoryDeps } from './context.ts';
import { showForReader } from './views.ts';

/** The stories that the caller can see, most recently changed first. Throws `OFFSET_TOO_LARGE` or `LIST_TOO_LARGE`. */
export async function listStories(
  deps: StoryDeps,
  principal: Principal,
  { tab, search, ...request }: StoryListQuery,
): Promise<PageOf<StorySummary>> {
  if (request.offset > MAX_OFFSET) throw new AppError('OFFSET_TOO_LARGE');
  const [records, grants, assigned] = await Promise.all([
    deps.stories.readAll(principal.workspaceId),
    deps.grantsTo(principal),
    tab === 'assigned' ? assignedStories(deps.table, principal) : new Set<string>(),
  ]);
  const shown = records.flatMap((record) => {
    const grant = grants.get(record.id);
    const sight = record.deletedAt === null ? storySight(principal, record, grant) : undefined;
    if (!sight || !isOnTab(tab, principal, record, { grant, isAssigned: assigned.has(record.id) })) return [];
    const summary = showForReader(record, sight);
    return isFound(search, [summary.title, summary.summary ?? '']) ? [summary] : [];
  });
  return selectPage(shown, { ...request, sort: '-updatedAt' });
}

function isOnTab(
  tab: StoryListQuery['tab'],
  { userId }: Principal,
  { ownerId, archivedAt, review }: StoryRecord,
  { grant, isAssigned }: { grant: ReceivedGrant | undefined; isAssigned: boolean },
): boolean {
  if ((archivedAt !== null) !== (tab === 'archived')) return false;
  switch (tab) {
    case 'mine':
      return ownerId === userId;
    case 'shared':
      return grant !== undefined;
    case 'assigned':
      return isAssigned || (review?.reviewers ?? []).some((each) => each.userId === userId && !each.decision);
    default:
      return true;
  }
}
