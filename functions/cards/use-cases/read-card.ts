import {
  type ChartDeps,
  type ChartRows,
  type ChartSpec,
  type RunFilter,
  readChart,
} from '../../../shared/domains/charts/index.ts';
import type { CardRecord, DashboardParts, ReaderDeps } from '../../../shared/domains/dashboards/index.ts';
import type { Principal } from '../../../shared/platform/auth/principal.ts';
import { AppError, type Issue } from '../../../shared/platform/errors/app-error.ts';
import { JsonText } from '../../../shared/platform/http/json-text.ts';
import type { CardFilter, ReadCard } from '../schemas.ts';
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
  return cardText(card, await rowsOf(deps, parts, card, reading));
}

export const cardText = ({ id }: CardRecord, { rowsJson, ...rows }: CardRows): JsonText =>
  JsonText.of({ cardId: id, ...rows }, { rows: rowsJson });

/** The rows of a card with the filters of its reader that apply to it. */
export async function rowsOf(
  deps: ChartDeps,
  parts: DashboardParts,
  card: CardRecord,
  { filters, ...reading }: Reading,
): Promise<CardRows> {
  const query = queryOf(card);
  const wanted = filtersFor(parts, card, filters);
  const fields = wanted.length > 0 ? await fieldsOf(deps, reading.principal, query) : undefined;
  const applied = wanted.filter(({ fieldId }) => fields?.has(fieldId));
  const rows = await readChart(deps, { ...reading, query, filters: applied });
  const ignored = wanted.filter((filter) => !applied.includes(filter)).map(({ fieldId }) => fieldId);
  return { ...rows, ignoredFilters: [...new Set(ignored)] };
}

/** The query of the card; a saved query without a chart is a query of its own. Throws `CARD_WITHOUT_ROWS`. */
export function queryOf({ chartSpec, savedQueryId }: CardRecord): ChartSpec['query'] {
  if (chartSpec) return chartSpec.query;
  if (savedQueryId !== null) return { source: { kind: 'savedQuery', id: savedQueryId } };
  throw new AppError('CARD_WITHOUT_ROWS');
}

export const hasRows = ({ chartSpec, savedQueryId }: CardRecord): boolean =>
  chartSpec !== null || savedQueryId !== null;

/** The given filters as conditions on fields, without those that are linked to other cards. */
function filtersFor({ filters }: DashboardParts, card: CardRecord, given: readonly CardFilter[]): RunFilter[] {
  const issues: Issue[] = [];
  const found = given.flatMap(({ filterId, fieldId, ...condition }, index): RunFilter[] => {
    if ((filterId === undefined) === (fieldId === undefined)) {
      issues.push({ pointer: `/filters/${index}`, code: 'REQUIRED', message: 'needs either `filterId` or `fieldId`' });
      return [];
    }
    if (fieldId !== undefined) return [{ ...condition, fieldId }];
    const filter = filters.find(({ id }) => id === filterId);
    if (!filter) {
      issues.push({
        pointer: `/filters/${index}/filterId`,
        code: 'UNKNOWN',
        message: 'is not a filter of the dashboard',
      });
      return [];
    }
    const isLinked = filter.linkedCardIds.length === 0 || filter.linkedCardIds.includes(card.id);
    return isLinked ? [{ ...condition, fieldId: filter.fieldId }] : [];
  });
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  return found;
}

/** What readers can filter by: the fields of a model, or the columns of a dataset. Undefined for other sources. */
async function fieldsOf(
  { definitions, datasets }: ChartDeps,
  { workspaceId }: Principal,
  { source }: ChartSpec['query'],
): Promise<Pick<ReadonlySet<string>, 'has'> | undefined> {
  if (source.kind === 'model') return (await definitions.read({ workspaceId, modelId: source.id })).fields;
  if (source.kind !== 'dataset') return undefined;
  const dataset = await datasets.get(workspaceId, source.id);
  return new Set(dataset?.columns.map(({ name }) => name));
}
