import { filterText } from '../../../data/charts/filter-text.ts';
import type { Principal } from '../../../platform/auth/principal.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import type { ChartDeps } from '../charts/index.ts';
import type { CardRecord, DashboardParts } from '../dashboards/index.ts';
import { fieldsOf } from './card-fields.ts';
import { isLinked } from './card-filters.ts';
import { hasRows, queryOf } from './card-query.ts';
import type { CardFilter } from './schemas.ts';

/** The filters that apply to any of the cards, in words, such as `Region: eu, us`. */
export async function filtersInForce(
  deps: ChartDeps,
  { principal, parts, filters }: { principal: Principal; parts: DashboardParts; filters: readonly CardFilter[] },
  cards: readonly CardRecord[],
): Promise<string[]> {
  const readers = cards.filter(hasRows);
  if (filters.length === 0 || readers.length === 0) return [];
  const names = new Map<string, string>();
  const known = new Map<string, ReadonlyMap<string, { name: string }>>();
  for (const card of readers) {
    const query = queryOf(card);
    const { source, params, bindings } = query;
    const key = JSON.stringify([source, params, bindings]);
    const fields = known.get(key) ?? (await fieldsOf(deps, principal, query).catch(noneIfGone)) ?? NONE;
    known.set(key, fields);
    for (const { filterId, fieldId } of filters) {
      const filter = parts.filters.find(({ id }) => id === filterId);
      if (filter && !isLinked(filter, card)) continue;
      const name = fields.get(filter?.fieldId ?? fieldId ?? '')?.name;
      if (name !== undefined) names.set(filter?.id ?? fieldId!, filter?.label || name);
    }
  }
  return filters.flatMap(({ filterId, fieldId, op = 'eq', values }) => {
    const name = names.get(filterId ?? fieldId ?? '');
    return name === undefined ? [] : [`${name}: ${filterText({ op, values })}`];
  });
}

const NONE: ReadonlyMap<string, { name: string }> = new Map();

/** The card shows that its source is gone. */
function noneIfGone(error: unknown): undefined {
  if (error instanceof AppError) return undefined;
  throw error;
}
