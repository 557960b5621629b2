import { type ChartDeps, type ChartRows, readChart } from '../../../shared/domains/charts/index.ts';
import type { CardRecord, DashboardParts, ReaderDeps } from '../../../shared/domains/dashboards/index.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { JsonText } from '../../../shared/platform/http/json-text.ts';
import type { ReadCard } from '../schemas.ts';
import { fieldTypes } from './card-fields.ts';
import { filtersFor } from './card-filters.ts';
import { queryOf } from './card-query.ts';
import { summaryFor } from './card-summary.ts';
import { cardOf, seenParts } from './seen-cards.ts';

export type CardDeps = ReaderDeps & ChartDeps;
export type Reading = ReadCard & { principal: Principal };

export interface CardRows extends ChartRows {
  ignoredFilters: string[];
}

/** Throws `CARD_WITHOUT_ROWS`, and what `readChart` throws. */
export async function readCard(
  deps: CardDeps,
  { id, cardId, ...reading }: Reading & { id: string; cardId: string },
): Promise<JsonText> {
  const parts = await seenParts(deps, { principal: reading.principal, id });
  const card = cardOf(parts, cardId);
  return cardText(deps, card, await rowsOf(deps, parts, card, reading), reading.principal);
}

export async function cardText(
  deps: CardDeps,
  card: CardRecord,
  rows: CardRows,
  { workspaceId }: Principal,
): Promise<JsonText> {
  const { rowsJson, ...about } = rows;
  const aiSummary = await summaryFor(deps, { workspaceId, card, rows });
  return JsonText.of({ cardId: card.id, ...about, aiSummary }, { rows: rowsJson });
}

/** The rows of a card with the filters of its reader that apply to it. */
export async function rowsOf(
  deps: ChartDeps,
  parts: DashboardParts,
  card: CardRecord,
  { filters, selection, ...reading }: Reading,
): Promise<CardRows> {
  const query = queryOf(card);
  const wanted = filtersFor(parts, card, { filters, selection });
  const fields = wanted.length > 0 ? await fieldTypes(deps, reading.principal, query.source) : undefined;
  const applied = wanted.filter(({ fieldId }) => fields?.has(fieldId));
  const rows = await readChart(deps, { ...reading, query, filters: applied });
  const ignored = wanted.filter((filter) => !applied.includes(filter)).map(({ fieldId }) => fieldId);
  return { ...rows, ignoredFilters: [...new Set(ignored)] };
}
