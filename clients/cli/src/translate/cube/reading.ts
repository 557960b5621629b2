import { Untranslatable } from '../report.ts';
import type { DataType } from '../sql.ts';
import { type Members, textOf } from '../values.ts';

/** Members may be written in either way. */
export const memberOf = (members: Members, name: string): unknown =>
  members[name] ?? members[name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())];

export const isHidden = (members: Members): boolean => members.public === false || members.shown === false;

/** The types of dimensions. */
export const TYPES: Readonly<Record<string, DataType>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  time: 'datetime',
};

export function sqlOf({ sql }: Members): string {
  const text = textOf(sql);
  if (text === undefined) throw new Untranslatable('It has no SQL.');
  return text;
}

/** The table of `sql_table`, or of a statement that is nothing but all rows of one. */
export function tableOf(members: Members): { name: string; schema: string | undefined } {
  const whole =
    textOf(memberOf(members, 'sql_table')) ??
    /^\s*select\s+\*\s+from\s+([\w."]+)\s*;?\s*$/i.exec(textOf(members.sql) ?? '')?.[1];
  const parts = whole?.split('.').map((part) => part.replaceAll(/["`]/g, ''));
  if (!parts || parts.some((part) => !/^\w+$/.test(part)))
    throw new Untranslatable(
      'Its rows come from a statement; make a dataset or a view of it, and name that in sql_table.',
    );
  return { name: parts.at(-1)!, schema: parts.at(-2) };
}

/** The column of a dimension that is nothing but one. */
export function plainColumn(members: Members, cube: string): string | undefined {
  if (members.case !== undefined || memberOf(members, 'sub_query') === true) return undefined;
  const sql = textOf(members.sql) ?? '';
  const [, owner, column] = /^(?:\$?\{(\w+)\}\.)?"?(\w+)"?$/.exec(sql) ?? [];
  return owner === undefined || owner === 'CUBE' || owner === cube ? column : undefined;
}
