import { cellText, isNumeric, isTime } from './format.ts';

const MIN_PX = 172;
/** Left and right of a value. */
const PADDING_PX = 36;
/** Of a digit in the widest of the usual fonts. */
const DIGIT_PX = 8.6;
/** Integers below are no longer than what fits anyway. */
const MAX_SHORT = 1e15;

/**
 * Where each column of a grid begins and, at the end, where the last one ends. Numbers and times fit into their
 * columns, as a part of one would be read as another; texts may be cut off.
 */
export function columnPlaces(
  columns: readonly { type: string }[],
  rows: readonly (readonly unknown[])[],
): readonly number[] {
  const places = [0];
  for (const [index, { type }] of columns.entries()) places.push(places[index]! + widthOf(type, rows, index));
  return places;
}

function widthOf(type: string, rows: readonly (readonly unknown[])[], index: number): number {
  if (!isNumeric(type) && !isTime(type)) return MIN_PX;
  let longest = 0;
  for (const row of rows) longest = Math.max(longest, lengthOf(row[index], type));
  return Math.max(MIN_PX, Math.ceil(longest * DIGIT_PX) + PADDING_PX);
}

function lengthOf(value: unknown, type: string): number {
  if (value === null || value === undefined) return 0;
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < MAX_SHORT) return 0;
  return cellText(value, type).length;
}
