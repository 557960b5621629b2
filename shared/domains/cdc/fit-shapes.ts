import { readingOf } from '../../data/connectors/postgres/types.ts';
import { folded } from '../../data/duckdb/column-names.ts';
import { decimalDigits } from '../../data/duckdb/column-types.ts';
import { CDC_COLUMNS } from './record.ts';
import type { Shape, ShapeColumn } from './table-shape.ts';

/** Two columns that the engine takes for one, since upper and lower case do not count there; undefined when there are none. */
export function alikeColumns(names: readonly string[]): [string, string] | undefined {
  const known = new Map<string, string>();
  for (const name of names) {
    const other = known.get(folded(name));
    if (other !== undefined) return [other, name];
    known.set(folded(name), name);
  }
  return undefined;
}

/** A column whose name rows of a stream have for something of ours. */
export const takenColumn = (names: readonly string[]): string | undefined =>
  names.find((name) => CDC_COLUMNS.some((ours) => ours === folded(name)));

/** Why rows of such a table cannot be told by their columns; undefined when they can. A sentence that is to be ended. */
export function shapeIssue(table: string, { columns }: Pick<Shape, 'columns'>): string | undefined {
  const names = columns.map(({ name }) => name);
  const taken = takenColumn(names);
  if (taken !== undefined)
    return `Rename the column "${taken}" of ${table}, which rows of a stream have besides their own`;
  const alike = alikeColumns(names);
  return (
    alike &&
    `Rename the column "${alike[1]}" of ${table}, which differs from "${alike[0]}" by upper and lower case alone`
  );
}

/**
 * Why what was taken over in an earlier shape of a table does not go with its rows as they are now; undefined when it does. A key
 * must be the same, or rows from before could not be found by it. A type must be able to hold the values from before as they
 * were: the source has written its rows anew, which its log does not tell.
 */
export function misfit(table: string, earlier: Shape, now: Shape): string | undefined {
  return keyMisfit(table, earlier, now) ?? typeMisfit(table, earlier, now);
}

/** Why a table that was altered cannot be followed on: besides, under the new name of a column the rows from before have values too. */
export function alteration(table: string, earlier: Shape, now: Shape): string | undefined {
  return misfit(table, earlier, now) ?? renaming(table, earlier, now);
}

function keyMisfit(table: string, earlier: Shape, now: Shape): string | undefined {
  const had = new Set(earlier.columns.map(({ name }) => folded(name)));
  const has = new Set(now.columns.map(({ name }) => folded(name)));
  if (earlier.key === null && now.key === null) {
    const gone = earlier.columns.find(({ name }) => !has.has(folded(name)));
    return gone && `${table} has no key, and its column "${gone.name}" is gone`;
  }
  // Whole rows can be told apart by columns of theirs.
  const isSame =
    earlier.key === null
      ? now.key!.every((name) => had.has(folded(name)))
      : JSON.stringify(earlier.key.map(folded)) === JSON.stringify(now.key?.map(folded));
  return isSame ? undefined : `The key of ${table} has changed from ${listed(earlier.key)} to ${listed(now.key)}`;
}

const listed = (key: readonly string[] | null) => key?.map((name) => `"${name}"`).join(', ') ?? 'none';

function typeMisfit(table: string, earlier: Shape, now: Shape): string | undefined {
  const columns = new Map(earlier.columns.map((column) => [folded(column.name), column]));
  const changed = now.columns.find((column) => {
    const before = columns.get(folded(column.name));
    return before && !holds(column, before);
  });
  return changed && `The type of the column "${changed.name}" of ${table} has changed`;
}

/** Columns stay in their places; one that is dropped makes way for the next, and one that is added is the last. */
function renaming(table: string, earlier: Shape, now: Shape): string | undefined {
  const [had, has] = [earlier, now].map(({ columns }) => new Set(columns.map(({ name }) => folded(name))));
  const renamed = earlier.columns.findIndex((before, i) => {
    const column = now.columns[i];
    if (!column || has!.has(folded(before.name)) || had!.has(folded(column.name))) return false;
    return before.oid === column.oid && before.modifier === column.modifier;
  });
  const [from, to] = [earlier, now].map(({ columns }) => columns[renamed]?.name);
  return renamed < 0 ? undefined : `The column "${from}" of ${table} is called "${to}" by now`;
}

const CHAR = 1042;
/** Digits of the integers by the ids of their types. */
const INTEGER_DIGITS: Record<number, number> = { 20: 19, 21: 5, 23: 10, 26: 10 };

/** Whether the values from before a change of a column's type are, read as the new type, what the source has made of them. */
function holds(now: ShapeColumn, before: ShapeColumn): boolean {
  if ((now.item === undefined) !== (before.item === undefined)) return false;
  const [to, from] = [scalarOf(now), scalarOf(before)];
  if (to.oid === from.oid && to.modifier === from.modifier) return true;
  // It is filled with blanks, which its conversions take away.
  if (to.oid === CHAR || from.oid === CHAR) return false;
  if (to.type === 'integer' || to.type === 'string') return from.type === to.type || from.type === 'integer';
  if (to.digits && from.digits) return to.digits.whole >= from.digits.whole && to.digits.scale >= from.digits.scale;
  if (to.type !== from.type) return false;
  if (to.type === 'double') return to.oid === from.oid;
  // Of times, the digits of their seconds.
  return to.modifier < 0 || (from.modifier >= 0 && to.modifier >= from.modifier);
}

function scalarOf({ oid: own, item: oid = own, modifier }: ShapeColumn) {
  const { type } = readingOf({ oid, modifier });
  const decimal = decimalDigits(type);
  const whole = decimal ? decimal.precision - decimal.scale : INTEGER_DIGITS[oid];
  const digits = whole === undefined ? undefined : { whole, scale: decimal?.scale ?? 0 };
  return { oid, modifier, type, digits };
}
