import type { Principal } from '../../../platform/auth/principal.ts';
import { type ChartDeps, type ChartRows, type RunFilter, readChart } from '../charts/index.ts';
import type { CardRecord, DashboardParts, ReaderDeps } from '../dashboards/index.ts';
import { fieldsOf } from './card-fields.ts';
import { filtersFor } from './card-filters.ts';
import { queryOf } from './card-query.ts';
import { cardTimezone } from './card-timezone.ts';
import { readDrilled } from './drill.ts';
import type { ReadCard } from './schemas.ts';

export type CardDeps = ReaderDeps & ChartDeps;
export type Reading = ReadCard & { principal: Principal; rowLimit?: number | undefined };

export interface CardRows extends ChartRows {
  ignoredFilters: string[];
}

/**
 * How old the rows of a live source may be if the reader does not say. Otherwise each of the readers who open a
 * dashboard at the same time, as at the beginning of a meeting, would send the queries of all its cards to the source.
 */
export const LIVE_CARD_MAX_AGE_SECONDS = 15;

/** The rows of a card with the filters of its reader that apply to it. */
export async function rowsOf(
  deps: ChartDeps,
  parts: DashboardParts & { timezone?: string | null | undefined },
  card: CardRecord,
  { filters, selection, drill, timezone: wanted, ...reading }: Reading,
): Promise<CardRows> {
  const query = queryOf(card);
  const chosen = { filters, selection, principal: reading.principal };
  const { applied, ignoredFilters } = await appliedFilters(deps, parts, card, chosen);
  const timezone = cardTimezone(card, { timezone: wanted, dashboard: parts.timezone });
  const chart = { ...reading, timezone, query, filters: applied };
  const rows = drill ? await readDrilled(deps, chart, drill) : await readChart(deps, chart);
  return { ...rows, ignoredFilters };
}

/**
 * What the reader has chosen and applies to the card, and the fields that its source does not have. Throws
 * `CARD_WITHOUT_ROWS`.
 */
export async function appliedFilters(
  deps: ChartDeps,
  parts: DashboardParts,
  card: CardRecord,
  { principal, ...chosen }: Pick<Reading, 'filters' | 'selection' | 'principal'>,
): Promise<{ applied: RunFilter[]; ignoredFilters: string[] }> {
  const wanted = filtersFor(parts, card, chosen);
  const fields = wanted.length > 0 ? await fieldsOf(deps, principal, queryOf(card)) : undefined;
  const applied = wanted.filter(({ fieldId }) => fields?.has(fieldId));
  const ignored = wanted.filter((filter) => !applied.includes(filter)).map(({ fieldId }) => fieldId);
  return { applied, ignoredFilters: [...new Set(ignored)] };
}
