import {
  assertRemovable,
  changedPart,
  type DashboardPage,
  type DashboardParts,
  editParts,
  type NamedDashboard,
  newStamps,
  type PageRecord,
  partsOf,
  placedAt,
  reordered,
  replacedIn,
  showPart,
  withoutCards,
} from '../../../../shared/domains/boards/dashboards/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { DashboardDeps } from '../use-cases/context.ts';
import { assertFreeId, notExactSet } from './part-ids.ts';
import type { CreatePage, UpdatePage } from './schemas.ts';

interface PageNamed extends NamedDashboard {
  pageId: string;
}

/** Throws `DASHBOARD_PAGE_ID_TAKEN` or `DASHBOARD_TOO_LARGE`. */
export async function createPage(
  deps: DashboardDeps,
  { page, newId, ...named }: NamedDashboard & { page: CreatePage; newId: string },
): Promise<DashboardPage> {
  const { id = newId, pageIndex, name, isHidden } = page;
  assertFreeId(id);
  const state = await editParts(deps, named, (parts, act) => {
    const taken = parts.pages.find((each) => each.id === id);
    if (taken?.request === newId) return parts;
    if (taken) throw new AppError('DASHBOARD_PAGE_ID_TAKEN');
    const made: PageRecord = { id, name, isHidden, ...newStamps(act), request: newId };
    return { ...partsOf(parts), pages: placedAt(parts.pages, made, pageIndex) };
  });
  return showPart(state, 'pages', id) as DashboardPage;
}

/** Throws `DASHBOARD_PAGE_NOT_FOUND`. */
export async function updatePage(
  deps: DashboardDeps,
  { pageId, change: { pageIndex, ...change }, ...named }: PageNamed & { change: UpdatePage },
): Promise<DashboardPage> {
  const state = await editParts(deps, named, (parts, act) => {
    const next = changedPart(findPage(parts, pageId), change, act);
    const pages = pageIndex === undefined ? replacedIn(parts.pages, next) : placedAt(parts.pages, next, pageIndex);
    return { ...partsOf(parts), pages };
  });
  return showPart(state, 'pages', pageId) as DashboardPage;
}

/** Its cards go with it. Throws `DASHBOARD_PAGE_NOT_FOUND`. */
export async function deletePage(deps: DashboardDeps, { pageId, ...named }: PageNamed): Promise<void> {
  await editParts(deps, named, (parts, act) => {
    const page = findPage(parts, pageId);
    assertRemovable(page);
    const cards = new Set(parts.cards.filter((card) => card.pageId === pageId).map(({ id }) => id));
    const pages = parts.pages.filter(({ id }) => id !== pageId);
    return withoutCards({ ...partsOf(parts), pages }, cards, act);
  });
}

export async function reorderPages(
  deps: DashboardDeps,
  { pageIds, ...named }: NamedDashboard & { pageIds: readonly string[] },
): Promise<void> {
  await editParts(deps, named, (parts) => {
    const pages = reordered(parts.pages, parts.pages, pageIds);
    if (!pages) throw notExactSet('/pageIds', 'must be all pages of the dashboard, each once');
    return { ...partsOf(parts), pages };
  });
}

function findPage({ pages }: DashboardParts, pageId: string): PageRecord {
  const page = pages.find(({ id }) => id === pageId);
  if (!page) throw new AppError('DASHBOARD_PAGE_NOT_FOUND');
  return page;
}
