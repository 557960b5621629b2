import {
  assertRemovable,
  changedPart,
  type DashboardFilter,
  type DashboardParts,
  editParts,
  type FilterRecord,
  filterIssues,
  type NamedDashboard,
  newStamps,
  partsOf,
  placedAt,
  replacedIn,
  showPart,
} from '../../../../shared/domains/boards/dashboards/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { DashboardDeps } from '../use-cases/context.ts';
import type { CreateFilter, UpdateFilter } from './schemas.ts';

interface FilterNamed extends NamedDashboard {
  filterId: string;
}

/** Throws `VALIDATION_FAILED` or `DASHBOARD_TOO_LARGE`. */
export async function createFilter(
  deps: DashboardDeps,
  { filter, newId: id, ...named }: NamedDashboard & { filter: CreateFilter; newId: string },
): Promise<DashboardFilter> {
  const state = await editParts(deps, named, (parts, act) => {
    if (parts.filters.some((each) => each.id === id)) return parts;
    const made: FilterRecord = { id, defaultValue: null, ...filter, ...newStamps(act) };
    assertValid(parts, made);
    return { ...partsOf(parts), filters: [...parts.filters, made] };
  });
  return showPart(state, 'filters', id) as DashboardFilter;
}

/** Throws `DASHBOARD_FILTER_NOT_FOUND` or `VALIDATION_FAILED`. */
export async function updateFilter(
  deps: DashboardDeps,
  { filterId, change: { ordinal, ...change }, ...named }: FilterNamed & { change: UpdateFilter },
): Promise<DashboardFilter> {
  const state = await editParts(deps, named, (parts, act) => {
    const next = changedPart(findFilter(parts, filterId), change, act);
    assertValid(parts, next);
    const filters = ordinal === undefined ? replacedIn(parts.filters, next) : placedAt(parts.filters, next, ordinal);
    return { ...partsOf(parts), filters };
  });
  return showPart(state, 'filters', filterId) as DashboardFilter;
}

/** Throws `DASHBOARD_FILTER_NOT_FOUND`. */
export async function deleteFilter(deps: DashboardDeps, { filterId, ...named }: FilterNamed): Promise<void> {
  await editParts(deps, named, (parts) => {
    assertRemovable(findFilter(parts, filterId));
    return { ...partsOf(parts), filters: parts.filters.filter(({ id }) => id !== filterId) };
  });
}

function findFilter({ filters }: DashboardParts, filterId: string): FilterRecord {
  const filter = filters.find(({ id }) => id === filterId);
  if (!filter) throw new AppError('DASHBOARD_FILTER_NOT_FOUND');
  return filter;
}

function assertValid({ cards }: DashboardParts, filter: FilterRecord): void {
  const errors = filterIssues(filter, new Set(cards.map(({ id }) => id)));
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}
