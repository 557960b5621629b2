import { engineTypeOf } from '../../duckdb/column-types.ts';
import type { TextColumn } from './text-rows.ts';

/** How to convert the text of a value, whatever database sent it. */
export type TextReading = Omit<TextColumn, 'name'>;

export const TEXT_READING: TextReading = { type: 'string', read: (column) => column };

/** A type whose values DuckDB can all represent. */
export const castReading = (type: string): TextReading => ({ type, read: (c) => `${c}::${engineTypeOf(type)}` });

/** A type with values that DuckDB cannot represent: they become null and are counted. */
export function lossyReading(type: string, prepared: (column: string) => string = (c) => c): TextReading {
  const read = (c: string) => `TRY_CAST(${prepared(c)} AS ${engineTypeOf(type)})`;
  return { type, read, lossy: (c) => `${c} IS NOT NULL AND (${read(c)}) IS NULL` };
}

/**
 * A decimal without precision, or with more than 38 digits, becomes a decimal(38,9). Values that do not fit become null
 * or are rounded, and are counted.
 */
export function decimalReading(declared: { precision: number; scale: number } | undefined): TextReading {
  const digits = declared && declared.precision + Math.max(0, -declared.scale);
  const exact = declared && digits! <= 38 && declared.scale <= 38;
  const scale = exact ? Math.max(0, declared.scale) : 9;
  const type = `decimal(${exact ? Math.max(digits!, scale) : 38},${scale})`;
  const read = (c: string) => `TRY_CAST(${c} AS ${engineTypeOf(type)})`;
  const lossy = (c: string) =>
    `${c} IS NOT NULL AND (${read(c)} IS NULL OR length(rtrim(split_part(${c}, '.', 2), '0')) > ${scale})`;
  return { type, read, lossy, ...(exact ? {} : { roundedTo: scale }) };
}
