import { type SuggestedLook, suggestLook } from '../../../../shared/data/charts/suggest-look.ts';
import type { CardDeps } from '../../../../shared/domains/boards/cards/index.ts';
import type { ChartSpec } from '../../../../shared/domains/boards/charts/index.ts';
import {
  addCard,
  type CardContent,
  type DashboardCard,
  type DashboardParts,
  type EditDeps,
  editedDashboard,
  type NamedDashboard,
  showPart,
} from '../../../../shared/domains/boards/dashboards/index.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';
import type { CreateCardFromQuery } from '../schemas.ts';
import { rowsToUse } from './read-rows.ts';
import { isOfQuery, ofRequest } from './source-errors.ts';

const TIMEOUT_MS = 20_000;
/** Of the grid with 24 columns. */
const SIZES = { kpi: { w: 6, h: 4 }, chart: { w: 12, h: 8 }, map: { w: 16, h: 10 }, table: { w: 24, h: 10 } } as const;

type Query = ChartSpec['query'];

/** Adds a card whose chart suits the rows of the query. Throws `VALIDATION_FAILED`, the
 * not-found error of the source, `CARD_UNREADABLE`, and what adding a card throws. */
export async function createCardFromQuery(
  deps: CardDeps & EditDeps,
  { card, newId, ...named }: NamedDashboard & { card: CreateCardFromQuery; newId: string },
): Promise<DashboardCard> {
  const query = queryOf(card);
  await editedDashboard(deps, named);
  const { cardType, ...look } = await lookFor(deps, named, query);
  const chartSpec: ChartSpec = { version: 1, query, ...look };
  const title = card.title ?? (await titleOf(deps, named, query));
  const content = (parts: DashboardParts): CardContent => ({
    cardType,
    title,
    description: '',
    position: card.position ?? below(parts, card.pageId ?? null, SIZES[cardType]),
    chartSpec,
    savedQueryId: query.source.kind === 'savedQuery' ? query.source.id : null,
    textContent: null,
    imageUrl: null,
    value: null,
    pageId: card.pageId ?? null,
  });
  const state = await addCard(deps, { ...named, cardId: newId, requestId: newId, content });
  return showPart(state, 'cards', newId);
}

function queryOf({ savedQueryId, query }: CreateCardFromQuery): Query {
  if (savedQueryId !== undefined && query === undefined) return { source: { kind: 'savedQuery', id: savedQueryId } };
  if (query !== undefined && savedQueryId === undefined) return query;
  const issue: Issue = { pointer: '', code: 'REQUIRED', message: 'needs either `savedQueryId` or `query`' };
  throw new AppError('VALIDATION_FAILED', { errors: [issue] });
}

async function lookFor(deps: CardDeps, { principal }: NamedDashboard, query: Query) {
  const asked = { principal, query, filters: [], timeoutMs: TIMEOUT_MS };
  const { columns, rowsJson, truncated } = await rowsToUse(deps, asked, isOfQuery).catch((error: unknown) => {
    throw ofRequest(error);
  });
  // Only tables show totals and groups of columns.
  if (query.pivot || (query.totals ?? 'none') !== 'none') return TABLE;
  // Rows that were left out may repeat groups, or have further ones.
  return suggestLook({ columns, rows: truncated ? [] : JSON.parse(rowsJson) });
}

const TABLE: SuggestedLook = { cardType: 'table', mark: { type: 'table' } };

async function titleOf(deps: CardDeps, { principal: { workspaceId } }: NamedDashboard, { source, measures }: Query) {
  switch (source.kind) {
    case 'savedQuery':
      return (await deps.savedQueries.get(workspaceId, source.id))?.name ?? '';
    case 'metric':
      return (await deps.metrics.get(workspaceId, source.id))?.name ?? '';
    default:
      return measures?.[0]?.label ?? '';
  }
}

/** Below all cards of the page. */
function below({ pages, cards }: DashboardParts, pageId: string | null, size: { w: number; h: number }) {
  const first = pages[0]?.id ?? null;
  const page = pageId ?? first;
  const ends = cards.filter((card) => (card.pageId ?? first) === page).map(({ position }) => position.y + position.h);
  return { x: 0, y: Math.max(0, ...ends), ...size };
}
