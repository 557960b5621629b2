import { type Column, engineTypeOf } from '../engine/column-types.ts';
import { EngineError } from '../engine/engine-error.ts';
import { csvTable } from '../engine/exact-csv.ts';
import { quoteIdentifier } from '../engine/quoting.ts';

/** The columns that code is to answer: those it names, or else those of its rows. Throws SCHEMA_MISMATCH for what only names can tell. */
export function answerColumns(named: readonly Column[] | undefined, given: readonly Column[]): readonly Column[] {
  if (named) return named;
  const nested = given.filter(({ type }) => /^(list|struct)\(/.test(type));
  if (nested.length === 0) return given;
  const told = nested.map(({ name, type }) => `${name} (${type.slice(0, 100)})`).join(', ');
  const message = `The rows have lists or structs in ${told}, which code answers as json: name the columns of the answer in outputSchema.`;
  throw new EngineError('SCHEMA_MISMATCH', message);
}

/** A statement for the rows that code has answered, with their types; without rows there is no file to read. */
export function answeredRows(columns: readonly Column[], rows: number, csv: string): string {
  const values = columns.map(({ name, type }, i) => `${castOf(`c${i}`, type)} AS ${quoteIdentifier(name)}`);
  if (rows > 0) return `SELECT ${values.join(', ')} FROM ${csvTable(csv, columns.length)}`;
  const nulls = columns.map((_, i) => `NULL AS c${i}`);
  return `SELECT ${values.join(', ')} FROM (SELECT ${nulls.join(', ')}) WHERE false`;
}

const castOf = (text: string, type: string) =>
  type === 'binary' ? `from_base64(${text})` : `${text}::${engineTypeOf(type)}`;
