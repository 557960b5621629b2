import { AppError, type Issue } from '../../../platform/errors/app-error.ts';
import { isFiscal } from '../../../platform/schedule/fiscal-years.ts';
import { addPeriods, type PeriodGrain } from '../../../platform/schedule/periods.ts';
import { sumOfDecimals } from '../../../platform/text/sum-of-decimals.ts';
import { suggestion } from '../../../platform/validation/names.ts';
import type { ChartSpec, RunFilter } from '../charts/index.ts';
import type { DashboardParts } from '../dashboards/index.ts';
import type { CardSelection } from './schemas.ts';
import { cardOf } from './seen-cards.ts';

export type Dimension = NonNullable<ChartSpec['query']['dimensions']>[number];
type Value = CardSelection['values'][string];

/**
 * What a reader has clicked on in one card, as conditions for the others. Throws `DASHBOARD_CARD_NOT_FOUND`, and
 * `VALIDATION_FAILED` for columns by which the card does not group.
 */
export function selectedFilters(parts: DashboardParts, { cardId, values }: CardSelection): RunFilter[] {
  const dimensions = cardOf(parts, cardId).chartSpec?.query.dimensions ?? [];
  return conditionsOnRow(dimensions, values, '/selection/values');
}

/**
 * The row with these values of dimensions, as conditions. Throws `VALIDATION_FAILED` for columns that are not
 * dimensions.
 */
export function conditionsOnRow(
  dimensions: readonly Dimension[],
  values: CardSelection['values'],
  pointer: string,
): RunFilter[] {
  const errors = Object.keys(values).flatMap((column) =>
    findDimension(dimensions, column) ? [] : [unknownDimension(dimensions, column, `${pointer}/${column}`)],
  );
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
  return Object.entries(values).flatMap(([column, value]) => {
    const conditions = conditionsOn(findDimension(dimensions, column)!, value);
    return conditions.map((condition) => ({ ...condition, pointer: `${pointer}/${column}` }));
  });
}

export function unknownDimension(dimensions: readonly Dimension[], name: string, pointer: string): Issue {
  const named = dimensions.flatMap((each) => nameOf(each) ?? []);
  const message = `"${name}" is not the label, field or column of a dimension of the card${suggestion(name, named)}`;
  return { pointer, code: 'UNKNOWN', message };
}

/** How a selection names a dimension, which its `fieldId` names as well. */
const nameOf = ({ label, column }: Dimension): string | undefined => label ?? column;

export const findDimension = (
  dimensions: readonly Dimension[],
  name: string,
): (Dimension & { fieldId: string }) | undefined => {
  const found =
    dimensions.find((each) => nameOf(each) === name) ??
    dimensions.find((each) => each.fieldId === name || each.column === name);
  const fieldId = found?.fieldId ?? found?.column;
  return found && fieldId !== undefined ? { ...found, fieldId } : undefined;
};

/** A period or a range is all values in it. */
function conditionsOn(
  { fieldId, grain, bin }: Dimension & { fieldId: string },
  value: Value,
): Omit<RunFilter, 'pointer'>[] {
  if (value === null) return [{ fieldId, op: 'is_null', values: [] }];
  if (grain && isFiscal(grain)) return [{ fieldId, op: 'in_period', values: [value, grain] }];
  const end = grain ? periodEnd(grain, value) : bin ? sumOfDecimals([Number(value), bin.width]) : undefined;
  if (end === undefined) return [{ fieldId, op: 'eq', values: [value] }];
  return [
    { fieldId, op: 'gte', values: [value] },
    { fieldId, op: 'lt', values: [end] },
  ];
}

const LOCAL = /^(\d{4}-\d{2}-\d{2})(?:([T ])(\d{2}:\d{2}:\d{2})(?:\.\d+)?)?$/;

/** The start of the next period, written like the start of this one. Undefined if the value is no local time. */
function periodEnd(grain: PeriodGrain, value: Exclude<Value, null>): string | undefined {
  const [text, day, separator, time = '00:00:00'] = LOCAL.exec(String(value)) ?? [];
  const start = text === undefined ? Number.NaN : Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(start)) return undefined;
  const end = new Date(addPeriods(grain, start, 1)).toISOString().slice(0, 19);
  return separator === undefined ? end.slice(0, 10) : end.replace('T', separator);
}
