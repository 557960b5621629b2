import type { PlainColumn } from '../../duckdb/plain-parquet/plain-column.ts';
import type { BinaryFormat, SentValue } from './binary-values.ts';

const [POSITIVE, NEGATIVE] = [0x0000, 0x4000];
const [BASE, DIGITS_PER_GROUP, HEADER_BYTES] = [10_000, 4, 8];
const LONG_DIGITS = 18;

/** A double holds every integer below it, and ten thousand times as many more do not fit. */
const MAX_BEFORE_GROUP = (2 ** 53 - BASE) / BASE;
const TWO_32 = 2 ** 32;

/** Decimals of a declared precision and scale. Values that are not numbers, or have more digits, are not added. */
export function decimalFormat(precision: number, scale: number): BinaryFormat {
  const isLong = precision <= LONG_DIGITS;
  const limit = 10n ** BigInt(precision);
  const shownLimit = Number(limit);
  return {
    stored: { physical: isLong ? 'INT64' : 'FIXED_16', as: { precision, scale } },
    add(column, value) {
      const sign = value.view.getUint16(value.at + 4);
      if (sign !== POSITIVE && sign !== NEGATIVE) return false;
      const small = smallUnits(value, scale);
      if (small !== undefined && Math.abs(small) < shownLimit) {
        if (isLong) setLong(column, small);
        else setWide(column, BigInt(small));
        return true;
      }
      const units = unitsOf(value, scale);
      if (units === undefined || units >= limit || units <= -limit) return false;
      if (isLong) {
        const to = column.room(8);
        column.view.setBigInt64(to, units, true);
      } else setWide(column, units);
      return true;
    },
  };
}

/** The value times ten to the power of the scale; undefined if a double may not hold it, or if it is not an integer. */
function smallUnits({ view, at }: SentValue, scale: number): number | undefined {
  const groups = view.getUint16(at);
  const weight = view.getInt16(at + 2);
  const last = -Math.ceil(scale / DIGITS_PER_GROUP);
  if (weight - groups + 1 < last) return undefined;
  const rest = scale % DIGITS_PER_GROUP;
  let units = 0;
  let from = at + HEADER_BYTES;
  const end = from + groups * 2;
  for (let exponent = weight; exponent >= last; exponent -= 1) {
    if (units > MAX_BEFORE_GROUP) return undefined;
    const group = from < end ? view.getInt16(from) : 0;
    from += 2;
    if (exponent === last && rest !== 0) {
      const cut = 10 ** (DIGITS_PER_GROUP - rest);
      if (group % cut !== 0) return undefined;
      units = units * 10 ** rest + group / cut;
    } else units = units * BASE + group;
  }
  return view.getUint16(at + 4) === NEGATIVE ? -units : units;
}

function unitsOf({ view, at }: SentValue, scale: number): bigint | undefined {
  const groups = view.getUint16(at);
  const weight = view.getInt16(at + 2);
  let units = 0n;
  for (let i = 0; i < groups; i += 1) units = units * 10_000n + BigInt(view.getInt16(at + HEADER_BYTES + i * 2));
  const shift = (weight - groups + 1) * DIGITS_PER_GROUP + scale;
  const power = 10n ** BigInt(Math.abs(shift));
  if (shift < 0 && units % power !== 0n) return undefined;
  const scaled = shift < 0 ? units / power : units * power;
  return view.getUint16(at + 4) === NEGATIVE ? -scaled : scaled;
}

function setLong(column: PlainColumn, units: number): void {
  const to = column.room(8);
  const high = Math.floor(units / TWO_32);
  column.view.setUint32(to, units - high * TWO_32, true);
  column.view.setInt32(to + 4, high, true);
}

/** Fixed bytes have the highest first. */
function setWide(column: PlainColumn, units: bigint): void {
  const to = column.room(16);
  column.view.setBigInt64(to, units >> 64n);
  column.view.setBigUint64(to + 8, BigInt.asUintN(64, units));
}
