import {
  type DuckDBArrayType,
  DuckDBBlobValue,
  DuckDBDateValue,
  type DuckDBDecimalType,
  DuckDBDecimalValue,
  type DuckDBListType,
  DuckDBListValue,
  type DuckDBMapType,
  DuckDBMapValue,
  type DuckDBStructType,
  DuckDBStructValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
} from '@duckdb/node-api';
import * as arrow from '@uwdata/flechette';
import type { Engine } from './engine.ts';

/** The rows of an internal statement over stored types, as an Arrow IPC stream. */
export async function arrowStream(engine: Engine, sql: string): Promise<Uint8Array> {
  const { columns, types } = await engine.shape(sql);
  const [[zone] = []] = await engine.run("SELECT current_setting('TimeZone')");
  const instants: arrow.DataType[] = [];
  const arrowTypes = types.map((type) => arrowType(type, String(zone), instants));
  const values: unknown[][] = columns.map(() => []);
  for await (const chunk of engine.columnChunks(sql)) {
    for (const [i, column] of chunk.entries()) for (const value of column) values[i]!.push(arrowValue(value));
  }
  const built = columns.map(
    ({ name }, i) => [name, arrow.columnFromArray(values[i]!, arrowTypes[i]!)] as [string, arrow.Column<unknown>],
  );
  // The library passes milliseconds unchanged and multiplies other units as doubles, which cannot hold microseconds.
  for (const type of instants) (type as { unit: number }).unit = arrow.TimeUnit.MICROSECOND;
  return arrow.tableToIPC(arrow.tableFromColumns(built), { format: 'stream' })!;
}

function arrowType(type: DuckDBType, zone: string, instants: arrow.DataType[]): arrow.DataType {
  const inner = (item: DuckDBType) => arrowType(item, zone, instants);
  switch (type.typeId) {
    case DuckDBTypeId.BOOLEAN:
      return arrow.bool();
    case DuckDBTypeId.TINYINT:
      return arrow.int8();
    case DuckDBTypeId.SMALLINT:
      return arrow.int16();
    case DuckDBTypeId.INTEGER:
      return arrow.int32();
    case DuckDBTypeId.BIGINT:
      return arrow.int64();
    case DuckDBTypeId.UTINYINT:
      return arrow.uint8();
    case DuckDBTypeId.USMALLINT:
      return arrow.uint16();
    case DuckDBTypeId.UINTEGER:
      return arrow.uint32();
    case DuckDBTypeId.FLOAT:
      return arrow.float32();
    case DuckDBTypeId.DOUBLE:
      return arrow.float64();
    case DuckDBTypeId.DECIMAL: {
      const { width, scale } = type as DuckDBDecimalType;
      return arrow.decimal128(width, scale);
    }
    case DuckDBTypeId.DATE:
      return arrow.dateDay();
    case DuckDBTypeId.TIME:
      return arrow.timeMicrosecond();
    case DuckDBTypeId.TIMESTAMP:
    case DuckDBTypeId.TIMESTAMP_TZ:
    case DuckDBTypeId.TIMESTAMP_NS: {
      const made = arrow.timestamp(arrow.TimeUnit.MILLISECOND, type.typeId === DuckDBTypeId.TIMESTAMP_TZ ? zone : null);
      instants.push(made);
      return made;
    }
    case DuckDBTypeId.BLOB:
      return arrow.binary();
    case DuckDBTypeId.LIST:
    case DuckDBTypeId.ARRAY:
      return arrow.list(inner((type as DuckDBListType | DuckDBArrayType).valueType));
    case DuckDBTypeId.STRUCT: {
      const { entryNames, entryTypes } = type as DuckDBStructType;
      return arrow.struct(entryNames.map((name, i) => arrow.field(name, inner(entryTypes[i]!))));
    }
    case DuckDBTypeId.MAP: {
      const { keyType, valueType } = type as DuckDBMapType;
      return arrow.map(inner(keyType), inner(valueType));
    }
    default:
      return arrow.utf8();
  }
}

/** The value in the form that the library's builders accept without rounding. */
function arrowValue(value: DuckDBValue): unknown {
  if (value instanceof DuckDBDecimalValue) return value.value;
  if (value instanceof DuckDBDateValue) return value.days * 86_400_000;
  if (value instanceof DuckDBTimeValue) return value.micros;
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) return value.micros;
  if (value instanceof DuckDBTimestampNanosecondsValue) return value.nanos / 1000n;
  if (value instanceof DuckDBBlobValue) return value.bytes;
  if (value instanceof DuckDBListValue) return value.items.map(arrowValue);
  if (value instanceof DuckDBStructValue)
    return Object.fromEntries(Object.entries(value.entries).map(([name, entry]) => [name, arrowValue(entry)]));
  if (value instanceof DuckDBMapValue)
    return value.entries.map((entry) => [arrowValue(entry.key), arrowValue(entry.value)]);
  return value;
}
