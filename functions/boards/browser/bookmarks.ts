import { isRecord } from './conditions.ts';
import { exploringOf } from './exploring.ts';

export interface Bookmark {
  id: string;
  name: string;
  state: { pageId?: string | null; filters?: object; cardState?: object; timezone?: string | null };
  isDefault: boolean;
  isPersonal: boolean;
  revision: number;
}

export interface Bookmarked {
  dashboardId: string;
  pageId: string | null;
  /** Whether the reader may save bookmarks for everyone. */
  mayShare: boolean;
}

/** Where the dashboard shows what the bookmark has saved. */
export function addressOf({ id, state: { pageId, filters, timezone, cardState = {} } }: Bookmark): string {
  const url = new URL(location.pathname, location.href);
  const { selection, drill } = cardState as { selection?: unknown; drill?: unknown };
  if (pageId) url.searchParams.set('page', pageId);
  if (timezone) url.searchParams.set('timezone', timezone);
  for (const [name, value] of Object.entries({ filters, selection, drill }))
    if (value !== undefined && value !== null) url.searchParams.set(name, JSON.stringify(value));
  url.searchParams.set('bookmark', id);
  return url.href;
}

/** What the reader has chosen, as the address has it. */
export function stateNow({ pageId }: Pick<Bookmarked, 'pageId'>): Bookmark['state'] {
  const { selection, drill } = exploringOf(location.search);
  const query = new URLSearchParams(location.search);
  const filters: unknown = JSON.parse(query.get('filters') ?? 'null');
  const timezone = query.get('timezone');
  return {
    pageId,
    ...(isRecord(filters) && { filters }),
    ...(timezone && { timezone }),
    cardState: { ...(selection && { selection }), ...(Object.keys(drill).length > 0 && { drill }) },
  };
}
