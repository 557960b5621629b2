import {
  type DuckDBArrayType,
  type DuckDBDecimalType,
  type DuckDBListType,
  type DuckDBMapType,
  type DuckDBStructType,
  type DuckDBType,
  DuckDBTypeId,
} from '@duckdb/node-api';
import { quoteLiteral } from './quoting.ts';

/**
 * The one wire format of values, produced by SQL so that no row becomes JavaScript objects:
 *
 * - integers are numbers up to 2^53 and text beyond; decimals, and integers of more than 63 bits, are always text;
 * - NaN and ±infinity (dates and timestamps have them too) are null, and `nonFinite` reports that;
 * - dates are `YYYY-MM-DD`; timestamps are ISO 8601 with three fraction digits or as many as needed: those without time
 *   zone with `Z`, instants with the offset of the session's time zone, which is `Z` in UTC; the year 44 BC is `-0043`;
 * - times, uuids, enums and intervals (ISO 8601 durations) are text; binary is base64;
 * - lists are arrays; structs and maps are objects; JSON columns are embedded as they are.
 */
export function wireValue(expression: string, type: DuckDBType, depth = 0): string {
  const e = expression;
  switch (type.typeId) {
    case DuckDBTypeId.BIGINT:
      // True between -2^53 and 2^53. A range check would make the planner compare hundreds of comparisons in pairs.
      return `CASE WHEN ${e} // 9007199254740992 = 0 THEN to_json(${e}) ELSE to_json(${e}::VARCHAR) END`;
    case DuckDBTypeId.FLOAT:
      // Converted through text, so that 0.1 does not become 0.10000000149011612.
      return `CASE WHEN isfinite(${e}) THEN ${e}::VARCHAR::DOUBLE END`;
    case DuckDBTypeId.DOUBLE:
      return `CASE WHEN isfinite(${e}) THEN ${e} END`;
    case DuckDBTypeId.DATE:
      return `CASE WHEN NOT isfinite(${e}) THEN NULL WHEN year(${e}) > 0 THEN ${e}::VARCHAR ELSE ${earlyYear(`strftime(${e}, '%Y-%m-%d')`)} END`;
    case DuckDBTypeId.TIMESTAMP:
      return instantText(e, '%f');
    case DuckDBTypeId.TIMESTAMP_TZ:
      return zonedText(e);
    case DuckDBTypeId.TIMESTAMP_S:
    case DuckDBTypeId.TIMESTAMP_MS:
      return instantText(`${e}::TIMESTAMP`, '%f');
    case DuckDBTypeId.TIMESTAMP_NS:
      return instantText(e, '%n');
    case DuckDBTypeId.DECIMAL: {
      const { width, scale } = type as DuckDBDecimalType;
      // If the type has no digit before the point, DuckDB writes none.
      return width === scale ? `regexp_replace(${e}::VARCHAR, '^(-?)\\.', '\\10.')` : `${e}::VARCHAR`;
    }
    case DuckDBTypeId.BLOB:
      return `base64(${e})`;
    case DuckDBTypeId.INTERVAL:
      return durationText(e);
    case DuckDBTypeId.VARIANT:
      return `${e}::JSON`;
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY: {
      const item = `v${depth}`;
      const list = type.typeId === DuckDBTypeId.ARRAY ? `${e}::${(type as DuckDBArrayType).valueType.toString()}[]` : e;
      const { valueType } = type as DuckDBListType | DuckDBArrayType;
      return `to_json(list_transform(${list}, lambda ${item}: ${wireValue(item, valueType, depth + 1)}))`;
    }
    case DuckDBTypeId.STRUCT:
      return structValue(e, type as DuckDBStructType, depth);
    case DuckDBTypeId.MAP: {
      const { keyType, valueType } = type as DuckDBMapType;
      const item = `v${depth}`;
      const keys = `list_transform(map_keys(${e}), lambda ${item}: ${keyText(item, keyType, depth + 1)})`;
      const values = `list_transform(map_values(${e}), lambda ${item}: to_json(${wireValue(item, valueType, depth + 1)}))`;
      return `CASE WHEN ${e} IS NOT NULL THEN to_json(map(${keys}, ${values})) END`;
    }
    case DuckDBTypeId.BOOLEAN:
    case DuckDBTypeId.TINYINT:
    case DuckDBTypeId.SMALLINT:
    case DuckDBTypeId.INTEGER:
    case DuckDBTypeId.UTINYINT:
    case DuckDBTypeId.USMALLINT:
    case DuckDBTypeId.UINTEGER:
    case DuckDBTypeId.VARCHAR:
      return e;
    default:
      return `${e}::VARCHAR`;
  }
}

/** JSON columns may contain NaN and ±Infinity, which JSON readers reject. Replaces them with null. */
export function finiteJson(text: string): string {
  if (!/NaN|Infinity/.test(text)) return text;
  return text.replace(/"(?:[^"\\]|\\.)*"|-?(?:NaN|Infinity)/g, (token) => (token.startsWith('"') ? token : 'null'));
}

/**
 * A SQL condition that is true if the value contains something that the wire format shows as null although it is not
 * null; undefined if that is impossible.
 */
export function nonFinite(expression: string, type: DuckDBType, depth = 0): string | undefined {
  const e = expression;
  switch (type.typeId) {
    case DuckDBTypeId.FLOAT:
    case DuckDBTypeId.DOUBLE:
    case DuckDBTypeId.DATE:
    case DuckDBTypeId.TIMESTAMP:
    case DuckDBTypeId.TIMESTAMP_TZ:
      return `coalesce(NOT isfinite(${e}), false)`;
    case DuckDBTypeId.TIMESTAMP_S:
    case DuckDBTypeId.TIMESTAMP_MS:
    case DuckDBTypeId.TIMESTAMP_NS:
      return `coalesce(NOT isfinite(${e}::TIMESTAMP), false)`;
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY:
      return anyItem(e, (type as DuckDBListType | DuckDBArrayType).valueType, depth);
    case DuckDBTypeId.MAP:
      return anyItem(`map_values(${e})`, (type as DuckDBMapType).valueType, depth);
    case DuckDBTypeId.STRUCT: {
      const { entryTypes } = type as DuckDBStructType;
      const parts = entryTypes.flatMap(
        (entry, i) => nonFinite(`struct_extract_at(${e}, ${i + 1})`, entry, depth) ?? [],
      );
      return parts.length > 0 ? `(${parts.join(' OR ')})` : undefined;
    }
    default:
      return undefined;
  }
}

function anyItem(list: string, type: DuckDBType, depth: number): string | undefined {
  const item = `v${depth}`;
  const condition = nonFinite(item, type, depth + 1);
  return condition && `coalesce(list_bool_or(list_transform(${list}, lambda ${item}: ${condition})), false)`;
}

function structValue(e: string, type: DuckDBStructType, depth: number): string {
  const entries = type.entryTypes.map((entry, i) => wireValue(`struct_extract_at(${e}, ${i + 1})`, entry, depth));
  const made = type.entryNames.includes('')
    ? `json_array(${entries.join(', ')})`
    : `json_object(${entries.map((entry, i) => `${quoteLiteral(type.entryNames[i]!)}, ${entry}`).join(', ')})`;
  return `CASE WHEN ${e} IS NOT NULL THEN ${made} END`;
}

/** Keys of a JSON object must be text, and keys of a map are never null, so non-finite keys keep their names. */
function keyText(e: string, type: DuckDBType, depth: number): string {
  switch (type.typeId) {
    case DuckDBTypeId.FLOAT:
    case DuckDBTypeId.DOUBLE:
    case DuckDBTypeId.DATE:
    case DuckDBTypeId.BIGINT:
    case DuckDBTypeId.UBIGINT:
      return `${e}::VARCHAR`;
    case DuckDBTypeId.TIMESTAMP:
    case DuckDBTypeId.TIMESTAMP_TZ:
    case DuckDBTypeId.TIMESTAMP_S:
    case DuckDBTypeId.TIMESTAMP_MS:
    case DuckDBTypeId.TIMESTAMP_NS:
      return `coalesce(${wireValue(e, type, depth)}, ${e}::VARCHAR)`;
    default:
      return `(${wireValue(e, type, depth)})::VARCHAR`;
  }
}

function instantText(e: string, fraction: '%f' | '%n'): string {
  const text = `strftime(${e}, '%Y-%m-%dT%H:%M:%S.${fraction}')`;
  return `CASE WHEN isfinite((${e})::TIMESTAMP) THEN ${earlyYear(`regexp_replace(${text}, '(\\.\\d{3})0+$', '\\1')`)} || 'Z' END`;
}

function zonedText(e: string): string {
  const text = `regexp_replace(strftime(${e}, '%Y-%m-%dT%H:%M:%S.%f'), '(\\.\\d{3})0+$', '\\1')`;
  // An offset is written as `+02`, `+05:30` or, for historical dates, `+05:21:10`.
  const offset = `CASE current_setting('TimeZone') WHEN 'UTC' THEN 'Z' ELSE regexp_replace(strftime(${e}, '%z'), '^(.\\d\\d)$', '\\1:00') END`;
  return `CASE WHEN isfinite((${e})::TIMESTAMP) THEN ${earlyYear(text)} || ${offset} END`;
}

/** The engine writes the year 44 BC as `-43`; ISO 8601 has four digits. */
function earlyYear(text: string): string {
  const padded = ['\\d', '\\d\\d', '\\d\\d\\d'].reduce(
    (made, digits, i) => `regexp_replace(${made}, '^-(${digits})-', '-${'0'.repeat(3 - i)}\\1-')`,
    text,
  );
  return `CASE WHEN starts_with(${text}, '-') THEN ${padded} ELSE ${text} END`;
}

function durationText(e: string): string {
  const part = (field: string, letter: string) =>
    `CASE WHEN ${field}(${e}) <> 0 THEN ${field}(${e}) || '${letter}' ELSE '' END`;
  const seconds = `microsecond(${e})`;
  const secondsText = `regexp_replace((${seconds} / 1000000)::DECIMAL(18, 6)::VARCHAR, '\\.?0+$', '') || 'S'`;
  const date = [part('year', 'Y'), part('month', 'M'), part('day', 'D')].join(' || ');
  const time = [
    part('hour', 'H'),
    part('minute', 'M'),
    `CASE WHEN ${seconds} <> 0 THEN ${secondsText} ELSE '' END`,
  ].join(' || ');
  return `CASE WHEN ${e} IS NULL THEN NULL WHEN ${e} = INTERVAL 0 SECOND THEN 'PT0S' ELSE rtrim('P' || ${date} || 'T' || ${time}, 'T') END`;
}
