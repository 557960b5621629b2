import type { Engine } from '../../shared/data/duckdb/engine.ts';

/**
 * Functions of Trino, in DuckDB's words: enough to run statements for Trino here, where no Trino is. They mean what
 * Trino's documentation says, so that a statement which leans on something else gives other rows.
 */
const MACROS = [
  'regexp_like(value, pattern) AS regexp_matches(value, pattern)',
  'is_nan(value) AS isnan(value)',
  "nan() AS 'NaN'::DOUBLE",
  "infinity() AS 'Infinity'::DOUBLE",
  'truncate(value) AS trunc(value)',
  "substr(value, start) AS CASE WHEN start = 0 OR abs(start) > length(value) THEN '' ELSE substring(value, start) END, (value, start, size) AS substring(value, start, size)",
  'split_part(value, delimiter, part) AS list_extract(string_split(value, delimiter), part)',
  'regexp_extract(value, pattern) AS CASE WHEN regexp_matches(value, pattern) THEN system.main.regexp_extract(value, pattern) END, (value, pattern, part) AS CASE WHEN regexp_matches(value, pattern) THEN system.main.regexp_extract(value, pattern, part) END',
  'array_join(list, separator) AS array_to_string(list, separator)',
  'element_at(list, nth) AS list_extract(list, nth)',
  'cardinality(list) AS len(list)',
  'array_max(list) AS list_max(list)',
  'array_min(list) AS list_min(list)',
  'arbitrary(value) AS any_value(value)',
  'to_utf8(value) AS encode(value)',
  'day_of_week(moment) AS isodow(moment)',
  'day_of_year(moment) AS dayofyear(moment)',
  'year_of_week(moment) AS isoyear(moment)',
  'last_day_of_month(moment) AS last_day(moment)',
  "regexp_replace(value, pattern, replacement) AS system.main.regexp_replace(value, pattern, replacement, 'g')",
  "date_format(moment, format) AS strftime(moment, replace(replace(replace(replace(format, '%M', '%B'), '%W', '%A'), '%i', '%M'), '%s', '%S'))",
  "date_add(unit, size, moment) AS CASE unit WHEN 'day' THEN moment + to_days(CAST(size AS INTEGER)) WHEN 'month' THEN moment + to_months(CAST(size AS INTEGER)) WHEN 'minute' THEN moment + to_minutes(size) END",
  'to_unixtime(moment) AS epoch(moment)',
];

export async function speakTrino(engine: Engine): Promise<void> {
  for (const macro of MACROS) await engine.run(`CREATE OR REPLACE MACRO ${macro}`);
}

/** Spelling that a macro cannot change: lambdas, calls with a filter, integer division and functions by unit. */
export function asDuckDbReads(sql: string): string {
  return sql
    .replace(/(\w+) -> /g, 'lambda $1: ')
    .replaceAll('filter(ARRAY[', 'list_filter(ARRAY[')
    .replaceAll('transform(', 'list_transform(')
    .replaceAll('array_sort(', 'list_sort(')
    .replaceAll('split(', 'string_split(')
    .replaceAll(/ \/ (-?\d+\)|nullif)/g, ' // $1')
    .replaceAll(/(max|min)_by\(/g, 'arg_$1(')
    .replaceAll(/length\(to_utf8\(([^)]*)\)\)/g, 'octet_length(encode($1))');
}
