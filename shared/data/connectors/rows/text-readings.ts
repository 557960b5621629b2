import { decimalDigits, engineTypeOf } from '../../duckdb/column-types.ts';

/** A column of rows that are transferred as text: the platform's type, and how DuckDB converts the text. */
export interface TextColumn {
  name: string;
  type: string;
  /** SQL for DuckDB that converts the text to the value. */
  read: (column: string) => string;
  /** SQL for DuckDB: true if the value becomes null, because the type has no such value; undefined if none does. */
  lost?: (column: string) => string;
  /** SQL for DuckDB: true if nothing is left of the value; `lost` by default. Only a list can lose a part of itself. */
  emptied?: (column: string) => string;
  /** SQL for DuckDB: true if digits of the value are rounded; undefined if none are. */
  rounded?: (column: string) => string;
  /** Decimal places to which numbers with more of them are rounded, half away from zero. */
  roundedTo?: number;
  /** Set if the type depends on the values: an SQL aggregate over the texts, and how to read them given its result. */
  byValues?: { aggregate: (column: string) => string; reading: (found: unknown) => Omit<TextColumn, 'name'> };
}

/** How to convert the text of a value, whatever database sent it. */
export type TextReading = Omit<TextColumn, 'name'>;

export const TEXT_READING: TextReading = { type: 'string', read: (column) => column };

/** A type whose values DuckDB can all represent. */
export const castReading = (type: string, prepared: (column: string) => string = (c) => c): TextReading => ({
  type,
  read: (c) => `${prepared(c)}::${engineTypeOf(type)}`,
});

/** A type with values that DuckDB cannot represent: they become null. */
export function lossyReading(type: string, prepared: (column: string) => string = (c) => c): TextReading {
  const read = (c: string) => `TRY_CAST(${prepared(c)} AS ${engineTypeOf(type)})`;
  return { type, read, lost: (c) => `(${c} IS NOT NULL AND (${read(c)}) IS NULL)` };
}

const DEFAULT_DECIMALS_AS = 'decimal(38,9)';

/**
 * A decimal without precision, or with more than 38 digits, is read as `decimalsAs`. Values with more digits before the
 * point become null, and further digits after it are rounded.
 */
export function decimalReading(
  declared: { precision: number; scale: number } | undefined,
  decimalsAs: string = DEFAULT_DECIMALS_AS,
): TextReading {
  const digits = declared && declared.precision + Math.max(0, -declared.scale);
  const isExact = declared && digits! <= 38 && declared.scale <= 38;
  if (!isExact && decimalsAs === TEXT_READING.type) return TEXT_READING;
  const scale = isExact ? Math.max(0, declared.scale) : decimalDigits(decimalsAs)!.scale;
  const type = isExact ? `decimal(${Math.max(digits!, scale)},${scale})` : decimalsAs;
  const reading = lossyReading(type);
  const decimals = (c: string) => `length(rtrim(split_part(${c}, '.', 2), '0'))`;
  return {
    ...reading,
    rounded: (c) => `(${decimals(c)} > ${scale} AND (${reading.read(c)}) IS NOT NULL)`,
    ...(isExact ? {} : { roundedTo: scale }),
  };
}

/** SQL that is true for a value that the reading does not keep exactly; undefined if it keeps all of them. */
export function inexact({ lost, rounded }: TextReading): ((column: string) => string) | undefined {
  if (!lost && !rounded) return undefined;
  return (c) => [lost, rounded].flatMap((test) => (test ? [test(c)] : [])).join(' OR ');
}
