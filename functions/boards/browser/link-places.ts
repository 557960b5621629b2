import type { ChartLink } from '../../../shared/data/charts/chart-look.ts';
import { addressOf, columnsInAddress } from '../../../shared/data/charts/link-address.ts';
import { safeAddress } from '../../../shared/data/charts/safe-address.ts';
import { addUnits, timeUnit } from '../../../shared/platform/schedule/fiscal-calendar.ts';
import type { Action } from './row-menu.ts';
import type { CardData } from './table.ts';

type Rows = Pick<CardData, 'columns' | 'rows'>;

/** Where the links of a card lead from a row. Rows of other columns, such as those of another period, lack some. */
export function placesOf(
  links: readonly ChartLink[],
  { columns, rows }: Rows,
  row: number,
  pageOf = (dashboardId: string): string => `/api/d/${encodeURIComponent(dashboardId)}`,
): Action[] {
  const placeOf = (name: string) => columns.findIndex((column) => column.name === name);
  const read = (name: string) => rows[row]?.[placeOf(name)];
  return links.flatMap(({ title, url = '', dashboardId, filters = {} }): Action[] => {
    const needed = [...columnsInAddress(url), ...Object.values(filters)];
    if (needed.some((name) => placeOf(name) < 0)) return [];
    if (dashboardId === undefined) {
      const href = safeAddress(addressOf(url, read));
      return href === undefined ? [] : [{ text: title, href, isElsewhere: true }];
    }
    const chosen = Object.entries(filters).map(([id, name]) => [id, filterValue(columns[placeOf(name)]!, read(name))]);
    const query =
      chosen.length === 0 ? '' : `?filters=${encodeURIComponent(JSON.stringify(Object.fromEntries(chosen)))}`;
    return [{ text: title, href: `${pageOf(dashboardId)}${query}` }];
  });
}

/** A period is its first and its last day. */
function filterValue({ grain, calendar }: CardData['columns'][number], value: unknown): unknown {
  const start = grain === undefined ? Number.NaN : Date.parse(`${String(value).slice(0, 10)}T00:00:00Z`);
  if (grain === undefined || Number.isNaN(start)) return value ?? null;
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  return { from: dayOf(start), to: dayOf(addUnits(timeUnit(grain, calendar), start, 1) - 1) };
}
