import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBIntervalValue,
  DuckDBListValue,
  DuckDBMapValue,
  type DuckDBResult,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
  type DuckDBType,
  DuckDBTypeId,
  DuckDBUnionValue,
  type DuckDBValue,
} from '@duckdb/node-api';

/**
 * What the API's wire format should show for DuckDB's own values, written a second time: the product makes it in SQL,
 * this makes it of the values that the library hands out.
 */
export async function wireRows(result: DuckDBResult): Promise<unknown[][]> {
  const types = result.columnTypes();
  const rows = await result.getRows();
  return rows.map((row) => row.map((value, i) => wire(value, types[i]!)));
}

function wire(value: DuckDBValue, type: DuckDBType): unknown {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? numberOf(value, type) : null;
  if (typeof value === 'bigint') return bigintOf(value, type);
  if (type.alias === 'JSON') return JSON.parse(String(value));
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('base64');
  if (value instanceof DuckDBUnionValue) return String(value.value);
  const time = temporal(value);
  return time === undefined ? nested(value, type) : time;
}

/** A date, a time or a duration as text, null for an infinite one; undefined for other values. */
function temporal(value: DuckDBValue): string | null | undefined {
  if (value instanceof DuckDBDateValue) return value.isFinite ? dayOf(value.days) : null;
  if (value instanceof DuckDBTimestampNanosecondsValue) return value.isFinite ? instantOf(value.nanos) : null;
  if (value instanceof DuckDBTimestampSecondsValue) return instantOf(value.seconds * 1_000_000_000n);
  if (value instanceof DuckDBTimestampMillisecondsValue) return instantOf(value.millis * 1_000_000n);
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue)
    return value.isFinite ? instantOf(value.micros * 1000n) : null;
  if (value instanceof DuckDBTimeValue) return timeOf(value.micros);
  if (value instanceof DuckDBIntervalValue) return durationOf(value);
  return undefined;
}

function nested(value: DuckDBValue, type: DuckDBType): unknown {
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) {
    const { valueType } = type as unknown as { valueType: DuckDBType };
    return value.items.map((item) => wire(item, valueType));
  }
  if (value instanceof DuckDBStructValue) {
    const { entryNames, entryTypes } = type as unknown as { entryNames: string[]; entryTypes: DuckDBType[] };
    const parts = Object.values(value.entries).map((entry, i) => wire(entry, entryTypes[i]!));
    return entryNames.includes('') ? parts : Object.fromEntries(entryNames.map((name, i) => [name, parts[i]]));
  }
  if (value instanceof DuckDBMapValue) {
    const { keyType, valueType } = type as unknown as { keyType: DuckDBType; valueType: DuckDBType };
    return Object.fromEntries(
      value.entries.map((entry) => [String(wire(entry.key, keyType)), wire(entry.value, valueType)]),
    );
  }
  return String(value);
}

function numberOf(value: number, type: DuckDBType): number {
  if (type.typeId !== DuckDBTypeId.FLOAT) return value;
  for (let digits = 1; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

function bigintOf(value: bigint, type: DuckDBType): unknown {
  const isWide = type.typeId !== DuckDBTypeId.BIGINT;
  return isWide || !Number.isSafeInteger(Number(value)) ? String(value) : Number(value);
}

const dayOf = (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10);

function instantOf(nanos: bigint): string {
  const second = nanos / 1_000_000_000n - (nanos % 1_000_000_000n < 0n ? 1n : 0n);
  const fraction = String(nanos - second * 1_000_000_000n).padStart(9, '0');
  const start = new Date(Number(second) * 1000).toISOString().slice(0, 19);
  return `${start}.${fraction.slice(0, 3)}${fraction.slice(3).replace(/0+$/, '')}Z`;
}

function timeOf(micros: bigint): string {
  const part = (size: bigint, within: bigint) => String((micros / size) % within).padStart(2, '0');
  const fraction = String(micros % 1_000_000n)
    .padStart(6, '0')
    .replace(/0+$/, '');
  const clock = [part(3_600_000_000n, 25n), part(60_000_000n, 60n), part(1_000_000n, 60n)].join(':');
  return fraction ? `${clock}.${fraction}` : clock;
}

function durationOf({ months, days, micros }: DuckDBIntervalValue): string {
  const some = (amount: number | bigint, letter: string) => (Number(amount) === 0 ? '' : `${amount}${letter}`);
  const date = some(Math.trunc(months / 12), 'Y') + some(months % 12, 'M') + some(days, 'D');
  const seconds = Number(micros % 60_000_000n) / 1e6;
  const time =
    some(micros / 3_600_000_000n, 'H') + some((micros / 60_000_000n) % 60n, 'M') + (seconds === 0 ? '' : `${seconds}S`);
  return date === '' && time === '' ? 'PT0S' : `P${date}${time && `T${time}`}`;
}
