import { isDeepStrictEqual } from 'node:util';
import { idFrom } from '../../../../platform/storage/ids.ts';
import { type Act, newStamps, type Stamps, touchedPart } from '../parts.ts';
import type { DashboardBody, DashboardParts, DashboardState } from '../records.ts';
import type { DashboardFile, FileFilter } from './schema.ts';
import { CARD_DEFAULTS, FILTER_DEFAULTS, type FileContent, PAGE_DEFAULTS } from './views.ts';

/**
 * The dashboard that the file describes. Parts that keep their id keep their history; what is as before stays the same
 * object.
 */
export function importedContent(state: DashboardState, file: DashboardFile, act: Act): FileContent {
  const { name = state.record.name, description = '', layout = null, theme = null } = file;
  const { filterState = null, timezone = null } = file;
  const body: DashboardBody = { layout, theme, filterState, timezone };
  const { pages = [], cards = [], filters = [] } = file;
  const parts: DashboardParts = {
    pages: pages.map((page) => imported(state.pages, { ...PAGE_DEFAULTS, ...page }, act)),
    cards: cards.map((card) => imported(state.cards, { ...CARD_DEFAULTS, ...card }, act)),
    filters: withIds(state.record.id, filters).map((filter) =>
      imported(state.filters, { ...FILTER_DEFAULTS, ...filter }, act),
    ),
  };
  return { name, description, body: isDeepStrictEqual(body, bodyOf(state.body)) ? state.body : body, parts };
}

const bodyOf = ({ layout, theme, filterState, timezone }: DashboardBody): DashboardBody => ({
  layout,
  theme,
  filterState,
  timezone,
});

function imported<P extends Stamps & { id: string }, F extends { id: string }>(
  current: readonly P[],
  wanted: F & Omit<P, keyof Stamps>,
  act: Act,
): P {
  const before = current.find(({ id }) => id === wanted.id);
  if (!before) return { ...wanted, ...newStamps(act) } as unknown as P;
  const isSame = Object.entries(wanted).every(([member, value]) => isDeepStrictEqual(before[member as keyof P], value));
  return isSame ? before : touchedPart({ ...before, ...wanted }, act);
}

/** A filter without an id gets one that depends on what it filters, so that the same file gives the same filters. */
function withIds(dashboardId: string, filters: readonly FileFilter[]): (FileFilter & { id: string })[] {
  const counts = new Map<string, number>();
  return filters.map((filter) => {
    const key = JSON.stringify([filter.fieldId, filter.label]);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return { ...filter, id: filter.id ?? idFrom('dashboard-file', dashboardId, key, count) };
  });
}
