import { existsSync, readFileSync } from 'node:fs';
import { CommandError, EXIT } from '../exit-codes.ts';
import type { ColumnTypes } from './model.ts';
import type { DataType } from './sql.ts';
import { isMembers, membersOf } from './values.ts';

/** The type of the platform for a type of a database; `undefined` for those without a counterpart. */
export function dataTypeOf(sqlType: string): DataType | undefined {
  const name = sqlType.trim().toUpperCase().replace(/\(.*/s, '').trim();
  const scale = /\(\s*\d+\s*,\s*(\d+)\s*\)/.exec(sqlType)?.[1];
  if ((name === 'NUMBER' || name === 'NUMERIC' || name === 'DECIMAL') && scale === '0') return 'integer';
  return SQL_TYPES.find(([pattern]) => pattern.test(name))?.[1];
}

const SQL_TYPES: readonly [RegExp, DataType][] = [
  [/^(BOOL|BOOLEAN)$/, 'boolean'],
  [/^(TINYINT|SMALLINT|INT|INTEGER|BIGINT|INT2|INT4|INT8|INT64|HUGEINT)$/, 'integer'],
  [/^(NUMBER|NUMERIC|DECIMAL|BIGNUMERIC)$/, 'decimal'],
  [/^(FLOAT|FLOAT4|FLOAT8|FLOAT64|DOUBLE|DOUBLE PRECISION|REAL)$/, 'number'],
  [/^(DATE)$/, 'date'],
  [/^(DATETIME|TIMESTAMP.*)$/, 'datetime'],
  [/^(TIME.*)$/, 'time'],
  [/^(TEXT|STRING|VARCHAR.*|CHAR|CHARACTER.*|UUID|ENUM)$/, 'string'],
];

/**
 * The types of a file that `dbt docs generate` writes (`catalog.json`), or of one of the form
 * `{ "orders": { "id": "integer" } }`.
 */
export function readTypes(path: string | undefined): ColumnTypes {
  const known = new Map<string, DataType>();
  if (path !== undefined) for (const [key, type] of typesIn(path)) known.set(key, type);
  return { typeOf: (table, column) => known.get(`${table}.${column}`.toLowerCase()) };
}

function typesIn(path: string): [string, DataType][] {
  if (!existsSync(path)) throw new CommandError(EXIT.usage, `There is no file ${path}.`, 'FILE_UNREADABLE');
  const found: [string, DataType][] = [];
  const add = (table: string, column: string, type: unknown) => {
    const known = typeof type === 'string' ? dataTypeOf(type) : undefined;
    if (known) found.push([`${table}.${column}`.toLowerCase(), known]);
  };
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new CommandError(EXIT.usage, `${path} is not JSON: ${(error as Error).message}`, 'FILE_UNREADABLE');
  }
  const { nodes, sources } = membersOf(content);
  if (!isMembers(nodes)) {
    for (const [table, columns] of Object.entries(membersOf(content)))
      for (const [column, type] of Object.entries(membersOf(columns))) add(table, column, type);
    return found;
  }
  for (const node of [...Object.values(membersOf(sources)), ...Object.values(nodes)]) {
    const { metadata, columns } = membersOf(node);
    const table = membersOf(metadata).name;
    if (typeof table !== 'string') continue;
    for (const [column, entry] of Object.entries(membersOf(columns))) add(table, column, membersOf(entry).type);
  }
  return found;
}
