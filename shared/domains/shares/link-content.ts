import { AppError } from '../../platform/errors/app-error.ts';
import { hasRows } from '../cards/index.ts';
import type { DashboardRecord, DashboardVersions, Snapshot } from '../dashboards/index.ts';
import type { LinkReader } from './records.ts';
import type { SharedContent } from './shared-content.ts';

export interface ContentDeps {
  dashboards: { get(workspaceId: string, id: string): Promise<DashboardRecord | undefined> };
  versions: Pick<DashboardVersions, 'read'>;
}

/** The published version that a link opens. Throws `SHARE_NOT_FOUND` if the dashboard is deleted or withdrawn. */
export async function publishedParts(
  { dashboards, versions }: ContentDeps,
  { workspaceId, content }: Pick<LinkReader, 'workspaceId' | 'content'>,
): Promise<Snapshot> {
  const record = await dashboards.get(workspaceId, content.id);
  if (!isOpen(record)) throw new AppError('SHARE_NOT_FOUND');
  return versions.read({ workspaceId, dashboardId: content.id }, record.published.version);
}

type OpenDashboard = DashboardRecord & { published: NonNullable<DashboardRecord['published']> };

/** Whether readers of links may see the dashboard. */
export const isOpen = (record: DashboardRecord | undefined): record is OpenDashboard =>
  record?.isPublished === true && record.deletedAt === null && record.published !== null;

/** What readers of the link see of the version. They do not see filters on locked fields, which have no effect for them. */
export function sharedContent(
  { name, description, theme, pages, cards, filters }: Snapshot,
  { content, lockedFilters }: Pick<LinkReader, 'content' | 'lockedFilters'>,
): SharedContent {
  const locked = lockedFilters.map(({ fieldId }) => fieldId);
  return {
    contentType: content.type,
    title: name,
    description,
    theme,
    pages: pages.map(({ id, name: pageName, isHidden }) => ({ id, name: pageName, isHidden })),
    cards: cards.map((card) => ({
      id: card.id,
      cardType: card.cardType,
      title: card.title,
      description: card.description,
      position: card.position,
      chartSpec: lookOf(card),
      textContent: card.textContent,
      imageUrl: card.imageUrl,
      value: card.value,
      pageId: card.pageId,
      hasRows: hasRows(card),
    })),
    filters: filters
      .filter(({ fieldId }) => !locked.includes(fieldId))
      .map(({ id, fieldId, filterType, label, defaultValue, linkedCardIds }) => ({
        id,
        fieldId,
        filterType,
        label,
        defaultValue,
        linkedCardIds,
      })),
  };
}

function lookOf({ chartSpec }: Snapshot['cards'][number]): SharedContent['cards'][number]['chartSpec'] {
  if (!chartSpec) return null;
  const { query: _query, ...look } = chartSpec;
  return look;
}
