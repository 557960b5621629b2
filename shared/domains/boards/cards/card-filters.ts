import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import type { RunFilter } from '../charts/index.ts';
import type { CardRecord, DashboardParts, FilterRecord } from '../dashboards/index.ts';
import type { CardFilter, ReadCard } from './schemas.ts';
import { selectedFilters } from './selection.ts';

/**
 * What the reader has chosen, as conditions on fields: without the filters that are linked to other cards, and without
 * the selection in the card itself. Throws `VALIDATION_FAILED` and `DASHBOARD_CARD_NOT_FOUND`.
 */
export function filtersFor(
  parts: DashboardParts,
  card: CardRecord,
  { filters, selection }: Pick<ReadCard, 'filters' | 'selection'>,
): RunFilter[] {
  const selected = selection && selection.cardId !== card.id ? selectedFilters(parts, selection) : [];
  return [...chosenFilters(parts, card, filters), ...selected];
}

function chosenFilters({ filters }: DashboardParts, card: CardRecord, given: readonly CardFilter[]): RunFilter[] {
  const issues: Issue[] = [];
  const found = given.flatMap(({ filterId, fieldId, ...condition }, index): RunFilter[] => {
    const pointer = `/filters/${index}`;
    if ((filterId === undefined) === (fieldId === undefined)) {
      issues.push({ pointer, code: 'REQUIRED', message: 'needs either `filterId` or `fieldId`' });
      return [];
    }
    if (fieldId !== undefined) return [{ ...condition, fieldId, pointer }];
    const filter = filters.find(({ id }) => id === filterId);
    if (!filter) {
      issues.push({
        pointer: `${pointer}/filterId`,
        code: 'UNKNOWN',
        message: 'is not a filter of the dashboard',
      });
      return [];
    }
    return isLinked(filter, card) ? [{ ...condition, fieldId: filter.fieldId, pointer }] : [];
  });
  if (issues.length > 0) throw new AppError('VALIDATION_FAILED', { errors: issues });
  return found;
}

/** A filter without links applies to every card. */
export const isLinked = ({ linkedCardIds }: FilterRecord, { id }: CardRecord): boolean =>
  linkedCardIds.length === 0 || linkedCardIds.includes(id);
