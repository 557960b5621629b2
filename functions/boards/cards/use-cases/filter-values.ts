import {
  type CardDeps,
  cardTimezone,
  fieldsOf,
  filtersFor,
  hasRows,
  isLinked,
  pageOfChoices,
  queryOf,
  seenParts,
} from '../../../../shared/domains/boards/cards/index.ts';
import { asSource, namedField } from '../../../../shared/domains/boards/charts/index.ts';
import type { DashboardParts, FilterRecord } from '../../../../shared/domains/boards/dashboards/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { FilterValues, ReadFilterValues } from '../schemas.ts';
import { rowsToUse } from './read-rows.ts';

interface Command extends ReadFilterValues {
  principal: Principal;
  id: string;
  filterId: string;
}

const COLUMN = 'value';

/**
 * The values that a filter can take among the rows that the caller may see, or the allowed values of a parameter of a
 * model: those of the first card that it applies to.
 * Throws `DASHBOARD_FILTER_NOT_FOUND`, and `CARD_UNREADABLE`.
 */
export async function readFilterValues(
  deps: CardDeps,
  { id, filterId, search, limit, offset, filters, ...reading }: Command,
): Promise<FilterValues> {
  const { principal } = reading;
  const parts = await seenParts(deps, { principal, id });
  const filter = parts.filters.find((each) => each.id === filterId);
  if (!filter) throw new AppError('DASHBOARD_FILTER_NOT_FOUND');
  const { fieldId } = filter;
  const found = await firstCardWith(deps, parts, filter, principal);
  if (!found) return { values: [], truncated: false, asOf: null };
  const { card, query, fields } = found;
  const { choices } = fields.get(fieldId)!;
  if (choices) return { ...pageOfChoices(choices, { search, limit, offset }), asOf: null };
  const others = filtersFor(parts, card, { filters }).filter((each) => each.fieldId !== fieldId);
  const named = search !== undefined && fields.get(fieldId)?.type === 'string';
  const rows = await rowsToUse(deps, {
    ...reading,
    timezone: cardTimezone(card, { timezone: reading.timezone, dashboard: parts.timezone }),
    query: {
      ...asSource(query),
      dimensions: [{ ...namedField(query, fieldId), label: COLUMN }],
      sort: [{ column: COLUMN }],
      ...(query.source.kind === 'blend' && { resultFilters: [{ column: COLUMN, op: 'not_null' as const }] }),
      limit: offset + limit + 1,
    },
    filters: [
      ...others.filter((each) => fields.has(each.fieldId)),
      { fieldId, op: 'not_null', values: [], pointer: '' },
      ...(named ? [{ fieldId, op: 'contains' as const, values: [search], ignoreCase: true, pointer: '/search' }] : []),
    ],
  });
  const values = (JSON.parse(rows.rowsJson) as [FilterValues['values'][number]][]).map(([value]) => value);
  return { values: values.slice(offset, offset + limit), truncated: values.length > offset + limit, asOf: rows.asOf };
}

async function firstCardWith(deps: CardDeps, parts: DashboardParts, filter: FilterRecord, principal: Principal) {
  for (const card of parts.cards) {
    if (!hasRows(card) || !isLinked(filter, card)) continue;
    const query = queryOf(card);
    const fields = await fieldsOf(deps, principal, query);
    const field = fields?.get(filter.fieldId);
    // The values of a parameter are not among the rows that it chooses.
    if (fields && field && (!field.isParameter || field.choices)) return { card, query, fields };
  }
  return undefined;
}
