import type { Principal } from '../../platform/auth/principal.ts';
import { AppError, type Issue } from '../../platform/errors/app-error.ts';
import { type ChartDeps, type ChartRows, type ChartSpec, type RunFilter, readChart } from '../charts/index.ts';
import type { CardRecord, DashboardParts, ReaderDeps } from '../dashboards/index.ts';
import type { CardFilter, ReadCard } from './schemas.ts';

export type CardDeps = ReaderDeps & ChartDeps;
export type Reading = ReadCard & { principal: Principal };

export interface CardRows extends ChartRows {
  ignoredFilters: string[];
}

/** The rows of a card with the filters of its reader that apply to it. */
export async function rowsOf(
  deps: ChartDeps,
  parts: DashboardParts,
  card: CardRecord,
  { filters, ...reading }: Reading,
): Promise<CardRows> {
  const query = queryOf(card);
  const { applied, ignoredFilters } = await appliedFilters(deps, parts, card, {
    filters,
    principal: reading.principal,
  });
  const rows = await readChart(deps, { ...reading, query, filters: applied });
  return { ...rows, ignoredFilters };
}

/** The given filters that apply to the card, and the fields of those that its source does not have. Throws `CARD_WITHOUT_ROWS`. */
export async function appliedFilters(
  deps: ChartDeps,
  parts: DashboardParts,
  card: CardRecord,
  { filters, principal }: Pick<Reading, 'filters' | 'principal'>,
): Promise<{ applied: RunFilter[]; ignoredFilters: string[] }> {
  const wanted = filtersFor(parts, card, filters);
  const fields = wanted.length > 0 ? await fieldsOf(deps, principal, queryOf(card)) : undefined;
  const applied = wanted.filter(({ fieldId }) => fields?.has(fieldId));
  const ignored = wanted.filter((filter) => !applied.includes(filter)).map(({ fieldId }) => fieldId);
  return { applied, ignoredFilters: [...new Set(ignored)] };
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
