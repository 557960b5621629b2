import { readingOf } from '../../../data/connectors/postgres/types.ts';
import { folded } from '../../../data/duckdb/column-names.ts';
import { decimalDigits } from '../../../data/duckdb/column-types.ts';
import { CDC_COLUMNS } from './record.ts';
import type { Shape, ShapeColumn } from './table-shape.ts';

/** Two columns that the engine cannot distinguish, because it ignores case; undefined if there are none. */
export function ambiguousColumns(names: readonly string[]): [string, string] | undefined {
  const known = new Map<string, string>();
  for (const name of names) {
    const other = known.get(folded(name));
    if (other !== undefined) return [other, name];
    known.set(folded(name), name);
  }
  return undefined;
}

/** A column with the name of one that the stream adds to its rows. */
export const reservedColumn = (names: readonly string[]): string | undefined =>
  names.find((name) => CDC_COLUMNS.some((ours) => ours === folded(name)));

/** Why the columns of a table cannot be captured; undefined if they can. The caller ends the sentence. */
export function shapeIssue(table: string, { columns }: Pick<Shape, 'columns'>): string | undefined {
  const names = columns.map(({ name }) => name);
  const taken = reservedColumn(names);
  if (taken !== undefined) return `Rename the column "${taken}" of ${table}: the stream adds a column with this name`;
  const alike = ambiguousColumns(names);
  return alike && `Rename the column "${alike[1]}" of ${table}, which differs from "${alike[0]}" only in case`;
}

/**
 * Why rows that were captured in an earlier shape of a table are incompatible with its current rows; undefined if they
 * are compatible. The key must be the same, because it identifies the earlier rows. A type must hold the earlier values
 * unchanged: the source has rewritten its rows, and its log does not contain that.
 */
export function incompatibility(table: string, earlier: Shape, now: Shape): string | undefined {
  return keyIncompatibility(table, earlier, now) ?? typeIncompatibility(table, earlier, now);
}

/**
 * Why an altered table cannot be followed any further: its shape is incompatible, or a column was renamed, under whose
 * new name earlier rows have no values.
 */
export function alterationIssue(table: string, earlier: Shape, now: Shape): string | undefined {
  return incompatibility(table, earlier, now) ?? renamedColumn(table, earlier, now);
}

function keyIncompatibility(table: string, earlier: Shape, now: Shape): string | undefined {
  const had = new Set(earlier.columns.map(({ name }) => folded(name)));
  const has = new Set(now.columns.map(({ name }) => folded(name)));
  if (earlier.key === null && now.key === null) {
    const dropped = earlier.columns.find(({ name }) => !has.has(folded(name)));
    return dropped && `${table} has no key, and its column "${dropped.name}" was dropped`;
  }
  // Any of the columns can identify whole rows.
  const isSame =
    earlier.key === null
      ? now.key!.every((name) => had.has(folded(name)))
      : JSON.stringify(earlier.key.map(folded)) === JSON.stringify(now.key?.map(folded));
  return isSame ? undefined : `The key of ${table} has changed from ${listed(earlier.key)} to ${listed(now.key)}`;
}

const listed = (key: readonly string[] | null) => key?.map((name) => `"${name}"`).join(', ') ?? 'none';

function typeIncompatibility(table: string, earlier: Shape, now: Shape): string | undefined {
  const columns = new Map(earlier.columns.map((column) => [folded(column.name), column]));
  const changed = now.columns.find((column) => {
    const before = columns.get(folded(column.name));
    return before && !canHold(column, before);
  });
  return changed && `The type of the column "${changed.name}" of ${table} has changed`;
}

/** A renamed column keeps its place. A dropped column gives its place to the next one, and a new column comes last. */
function renamedColumn(table: string, earlier: Shape, now: Shape): string | undefined {
  const [had, has] = [earlier, now].map(({ columns }) => new Set(columns.map(({ name }) => folded(name))));
  const renamed = earlier.columns.findIndex((before, i) => {
    const column = now.columns[i];
    if (!column || has!.has(folded(before.name)) || had!.has(folded(column.name))) return false;
    return before.oid === column.oid && before.modifier === column.modifier;
  });
  const [from, to] = [earlier, now].map(({ columns }) => columns[renamed]?.name);
  return renamed < 0 ? undefined : `The column "${from}" of ${table} was renamed to "${to}"`;
}

const CHAR = 1042;
/** Digits of integers, by the ids of their types. */
const INTEGER_DIGITS: Record<number, number> = { 20: 19, 21: 5, 23: 10, 26: 10 };

/** Whether earlier values, read as the new type of their column, are what the source has converted them to. */
function canHold(now: ShapeColumn, before: ShapeColumn): boolean {
  if ((now.item === undefined) !== (before.item === undefined)) return false;
  const [to, from] = [scalarOf(now), scalarOf(before)];
  if (to.oid === from.oid && to.modifier === from.modifier) return true;
  // CHAR is padded with blanks, which conversions remove.
  if (to.oid === CHAR || from.oid === CHAR) return false;
  if (to.type === 'integer' || to.type === 'string') return from.type === to.type || from.type === 'integer';
  if (to.digits && from.digits) return to.digits.whole >= from.digits.whole && to.digits.scale >= from.digits.scale;
  if (to.type !== from.type) return false;
  if (to.type === 'double') return to.oid === from.oid;
  // For times, the modifier is the number of digits of the seconds.
  return to.modifier < 0 || (from.modifier >= 0 && to.modifier >= from.modifier);
}

function scalarOf({ oid: own, item: oid = own, modifier }: ShapeColumn) {
  const { type } = readingOf({ oid, modifier });
  const decimal = decimalDigits(type);
  const whole = decimal ? decimal.precision - decimal.scale : INTEGER_DIGITS[oid];
  const digits = whole === undefined ? undefined : { whole, scale: decimal?.scale ?? 0 };
  return { oid, modifier, type, digits };
}
