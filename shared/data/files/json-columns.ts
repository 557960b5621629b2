import { DataError } from '../../platform/errors/data-error.ts';
import { folded } from '../duckdb/column-names.ts';
import { type Column, type ColumnType, readColumnType } from '../duckdb/column-types.ts';
import { fieldName } from '../duckdb/described-type.ts';
import type { Engine } from '../duckdb/engine.ts';
import { quoteIdentifier, quoteLiteral } from '../duckdb/quoting.ts';
import { rejectTooWide } from './file-format.ts';

/** The engine plans statements with more aggregates slowly. */
const COLUMNS_AT_ONCE = 128;
const JSON_TYPE: ColumnType = { kind: 'scalar', name: 'json' };

/**
 * The columns of JSON records as the engine detects them. Objects with members whose names differ only by case, of
 * which it can make no struct, have the type `json`. `read` is SQL that reads the file with further options.
 */
export async function detectedColumns(
  engine: Engine,
  read: (more: string) => string,
  detection: string,
): Promise<Column[]> {
  const describe = async (ignoreErrors: boolean) => {
    const found = await engine.describe(`SELECT * FROM ${read(`${detection}, ignore_errors = ${ignoreErrors}`)}`);
    rejectTooWide(found);
    return found;
  };
  try {
    return await describe(false);
  } catch (error) {
    if (!(error instanceof DataError && /Duplicate name "[\s\S]*" in struct/.test(error.message))) throw error;
  }
  // The structs then lack all of these members but the first.
  return withoutClashes(engine, await describe(true), (names) => {
    const columns = names.map((name) => `${quoteLiteral(name)}: 'JSON'`);
    return read(`columns = {${columns.join(', ')}}, ignore_errors = false`);
  });
}

async function withoutClashes(
  engine: Engine,
  found: readonly Column[],
  asJson: (names: readonly string[]) => string,
): Promise<Column[]> {
  const nested = found.filter(({ type }) => type.includes('struct('));
  const types = new Map<Column, string>();
  // Objects that have a member with an empty name are JSON already, so there may be no column.
  for (let start = 0; start < nested.length; start += COLUMNS_AT_ONCE) {
    const columns = nested.slice(start, start + COLUMNS_AT_ONCE);
    const structures = columns.map(({ name }) => `json_group_structure(${quoteIdentifier(name)})::VARCHAR`);
    const source = asJson(columns.map(({ name }) => name));
    const [row = []] = await engine.run(`SELECT ${structures.join(', ')} FROM ${source}`);
    for (const [i, column] of columns.entries()) {
      types.set(column, typeText(withoutClash(readColumnType(column.type), JSON.parse(String(row[i])))));
    }
  }
  return found.map((column) => ({ ...column, type: types.get(column) ?? column.type }));
}

/**
 * The type with `json` in place of structs in whose values names differ only by case. If types come from a sample,
 * later values may have another structure.
 */
function withoutClash(type: ColumnType, structure: unknown): ColumnType {
  if (type.kind === 'scalar' || typeof structure !== 'object' || structure === null) return type;
  const members = structure as Record<string, unknown>;
  if (type.kind === 'list') return { ...type, item: withoutClash(type.item, members[0]) };
  const names = Object.keys(members);
  if (new Set(names.map(folded)).size < names.length) return JSON_TYPE;
  const fields = type.fields.map((field) => ({ ...field, type: withoutClash(field.type, members[field.name]) }));
  return { ...type, fields };
}

function typeText(type: ColumnType): string {
  if (type.kind === 'list') return `list(${typeText(type.item)})`;
  if (type.kind === 'scalar') return type.name;
  return `struct(${type.fields.map((field) => `${fieldName(field.name)} ${typeText(field.type)}`).join(', ')})`;
}
