import { conditionOf } from '../../../data/charts/filter-condition.ts';
import type { DashboardParts } from '../dashboards/index.ts';
import type { CardFilter } from './schemas.ts';

/**
 * The given filters, and the default values of the filters of the dashboard that they do not name, as its page begins
 * with them.
 */
export function withDefaults({ filters }: Pick<DashboardParts, 'filters'>, given: readonly CardFilter[]): CardFilter[] {
  const named = new Set(given.map(({ filterId }) => filterId));
  const defaults = filters.flatMap(({ id, filterType, defaultValue }): CardFilter[] => {
    if (defaultValue === null || named.has(id)) return [];
    const condition = conditionOf(filterType, parsed(defaultValue));
    return condition ? [{ filterId: id, ...condition } as CardFilter] : [];
  });
  return [...given, ...defaults];
}

/** The page ignores a value that is no JSON, too. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
