import { AppError } from '../../../platform/errors/app-error.ts';
import { type FieldCondition, numberOf, reduceValues } from '../conditions/index.ts';
import { GROUP_LABEL, isPushed, VALUE_LABEL } from './chart-source.ts';
import type { GroupReading, RawAnswer } from './opened-condition.ts';

export const MAX_GROUPS = 100;

/** The columns that a condition takes its values and groups from, by their names in the answer. */
export function columnsOf(condition: FieldCondition): { value: string; group: string | null } {
  const { column, by } = condition;
  return isPushed(condition)
    ? { value: VALUE_LABEL, group: by ? GROUP_LABEL : null }
    : { value: column, group: by?.column ?? null };
}

/** Divides the rows of an answer and reduces them. Throws `ALERT_TOO_MANY_GROUPS` and `ALERT_COLUMN_UNKNOWN`. */
export function readField(condition: FieldCondition, { columns, content }: RawAnswer): GroupReading[] {
  const rows = content as unknown[][];
  const named = columnsOf(condition);
  const at = (name: string): number => {
    const index = columns.findIndex((column) => column.name === name);
    if (index < 0) throw new AppError('ALERT_COLUMN_UNKNOWN');
    return index;
  };
  const value = at(named.value);
  const numbers = (each: readonly unknown[][]) => each.map((row) => numberOf(row[value]));
  // What a model or dataset has reduced is one row.
  const reduce = isPushed(condition) ? 'last' : condition.reduce;
  const read = (each: readonly unknown[][]) => reduceValues(numbers(each), reduce);
  if (named.group === null) return [{ group: '', reading: read(rows), around: {} }];
  const group = at(named.group);
  const groups = new Map<string, unknown[][]>();
  for (const row of rows) {
    const key = groupName(row[group]);
    const found = groups.get(key);
    if (found) found.push(row);
    else groups.set(key, [row]);
  }
  if (groups.size > (condition.by?.limit ?? MAX_GROUPS)) throw new AppError('ALERT_TOO_MANY_GROUPS');
  return [...groups].map(([name, each]) => ({ group: name, reading: read(each), around: {} }));
}

const MAX_NAME = 200;

/** Never empty: that is the state of a rule without groups. Half a character at the end could not be stored or sent. */
export const groupName = (cell: unknown): string =>
  cell === null || cell === undefined || cell === '' ? '(empty)' : String(cell).slice(0, MAX_NAME).toWellFormed();
