import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import { suggestion } from '../../../platform/validation/names.ts';
import { type CardFilter, isLinked, queryOf } from '../../boards/cards/index.ts';
import type { ChartSpec } from '../../boards/charts/index.ts';
import type { CardRecord, DashboardParts } from '../../boards/dashboards/index.ts';

type Dimension = NonNullable<ChartSpec['query']['dimensions']>[number];
type Measure = NonNullable<ChartSpec['query']['measures']>[number];

/** The fields of the filters that apply to the card, which the author offers to its readers. */
const offeredFields = (parts: DashboardParts, card: CardRecord): string[] =>
  parts.filters.filter((filter) => isLinked(filter, card)).map(({ fieldId }) => fieldId);

/**
 * The fields that readers of a link may filter the card by: those that its filters offer, and those that it groups by.
 * Any other field of the source would let them find out values that the card does not show. So would the field of a
 * period or of a range, whose parts the card does not show, and any field of a card that shows some of its groups only.
 */
export function filterableFields(parts: DashboardParts, card: CardRecord): ReadonlySet<string> {
  const { dimensions = [] } = queryOf(card);
  const shown = hidesGroups(queryOf(card)) ? [] : dimensions.filter(({ grain, bin }) => !grain && !bin);
  return new Set([...offeredFields(parts, card), ...shown.flatMap((dimension) => fieldOf(dimension) ?? [])]);
}

/**
 * Whether filters would let readers compute a group that the card leaves out: all of those beyond its limit, and those
 * that its conditions leave out where totals, or measures such as SHARE, are about them too.
 */
function hidesGroups({
  limit,
  resultFilters = [],
  totals = 'none',
  pivot,
  measures = [],
}: ChartSpec['query']): boolean {
  if (limit !== undefined) return true;
  const isPlain = ({ expression, measureId }: Measure) => expression === undefined && measureId === undefined;
  return resultFilters.length > 0 && (totals !== 'none' || pivot !== undefined || !measures.every(isPlain));
}

const fieldOf = ({ fieldId, column }: Dimension): string | undefined => fieldId ?? column;

/** Throws `VALIDATION_FAILED` for conditions on other fields. */
export function assertNameable(parts: DashboardParts, card: CardRecord, filters: readonly CardFilter[]): void {
  const fields = filterableFields(parts, card);
  const errors = filters.flatMap(({ fieldId }, index): Issue[] =>
    fieldId === undefined || fields.has(fieldId)
      ? []
      : [unknownField(`/filters/${index}/fieldId`, fieldId, [...fields])],
  );
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}

/**
 * Whose values the reader asks for: those of a field that a filter offers, or those that a dimension has in the rows of
 * the card.
 */
export type AskedValues = { field: string } | { dimension: number };

/** Throws `VALIDATION_FAILED`. */
export function askedValues(
  parts: DashboardParts,
  card: CardRecord,
  { pointer, name }: { pointer: string; name: string },
): AskedValues {
  const offered = offeredFields(parts, card);
  if (offered.includes(name)) return { field: name };
  const { dimensions = [] } = queryOf(card);
  const dimension = dimensions.findIndex((each) => fieldOf(each) === name || each.label === name);
  const field = dimensions[dimension] && fieldOf(dimensions[dimension]);
  if (field !== undefined && offered.includes(field)) return { field };
  if (dimension >= 0) return { dimension };
  const known = [...offered, ...dimensions.flatMap((each) => [fieldOf(each) ?? [], each.label ?? []].flat())];
  throw new AppError('VALIDATION_FAILED', { errors: [unknownField(pointer, name, known)] });
}

const unknownField = (pointer: string, name: string, known: readonly string[]): Issue => ({
  pointer,
  code: 'UNKNOWN',
  message: `"${name}" is not a field of the card or of its filters${suggestion(name, [...known])}`,
});
