import { AppError, type Issue } from '../../platform/errors/app-error.ts';
import { suggestion } from '../../platform/validation/names.ts';
import { type CardFilter, isLinked, queryOf } from '../cards/index.ts';
import type { CardRecord, DashboardParts } from '../dashboards/index.ts';

/**
 * The fields that readers of a link may name: those that the card groups by, and those of the filters that apply to it. Any other field
 * of the source would let them find out values that the card does not show.
 */
export function nameableFields(parts: DashboardParts, card: CardRecord): ReadonlyMap<string, string> {
  const { dimensions = [] } = queryOf(card);
  const names = new Map<string, string>();
  for (const { fieldId } of parts.filters.filter((filter) => isLinked(filter, card))) names.set(fieldId, fieldId);
  for (const { fieldId, column, label } of dimensions) {
    const field = fieldId ?? column;
    if (field === undefined) continue;
    names.set(field, field);
    if (label !== undefined && !names.has(label)) names.set(label, field);
  }
  return names;
}

/** Throws `VALIDATION_FAILED` for conditions on other fields. */
export function assertNameable(parts: DashboardParts, card: CardRecord, filters: readonly CardFilter[]): void {
  const names = nameableFields(parts, card);
  const fields = new Set(names.values());
  const errors = filters.flatMap(({ fieldId }, index): Issue[] =>
    fieldId === undefined || fields.has(fieldId)
      ? []
      : [unknownField(`/filters/${index}/fieldId`, fieldId, [...fields])],
  );
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}

/** The field that the reader asks the values of. Throws `VALIDATION_FAILED`. */
export function namedField(
  parts: DashboardParts,
  card: CardRecord,
  { pointer, name }: { pointer: string; name: string },
): string {
  const names = nameableFields(parts, card);
  const field = names.get(name);
  if (field === undefined)
    throw new AppError('VALIDATION_FAILED', { errors: [unknownField(pointer, name, [...names.keys()])] });
  return field;
}

const unknownField = (pointer: string, name: string, known: readonly string[]): Issue => ({
  pointer,
  code: 'UNKNOWN',
  message: `"${name}" is not a field of the card or of its filters${suggestion(name, [...known])}`,
});
