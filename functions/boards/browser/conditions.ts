import { conditionOf, type FilterCondition, type FilterKind } from '../../../shared/data/charts/filter-condition.ts';

export { isRecord, isScalar } from '../../../shared/data/charts/filter-condition.ts';

export interface Filter {
  id: string;
  type: FilterKind;
  label: string;
  fieldId: string;
  /** The cards that it applies to; empty for all. */
  linkedCardIds: string[];
  /** The default value. */
  value: unknown;
}

/** The condition of a filter, as sent with requests for card data. */
export type CardFilter = FilterCondition & { filterId: string };

/** The values that the reader has chosen, by filter id. */
export type Values = Record<string, unknown>;

export const conditionsOf = (filters: readonly Filter[], values: Values): CardFilter[] =>
  filters.flatMap(({ id, type }) => {
    const found = conditionOf(type, values[id]);
    return found ? [{ filterId: id, ...found }] : [];
  });
