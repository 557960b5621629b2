import { quoteLiteral } from '../../duckdb/quoting.ts';
import type { Dialect } from '../catalogue/index.ts';
import type { Literal } from '../language/tree.ts';
import { atom, LEVEL, type Sql, sqlType } from './sql.ts';

/** A literal of the author. Texts are quoted, and all other forms have passed the lexer or the reader of dates. */
export function literalSql(literal: Literal, dialect: Dialect, zone: string): Sql {
  switch (literal.type) {
    case 'null':
      return atom('NULL');
    case 'boolean':
      return atom(literal.value ? 'TRUE' : 'FALSE');
    case 'string':
      return atom(textLiteral(literal.text, dialect));
    case 'date':
      return atom(`DATE ${quoteLiteral(literal.text)}`);
    case 'datetime':
      return datetimeSql(literal.text, zone);
    case 'number':
      return dialect === 'duckdb'
        ? { ...signed(literal.text), isDouble: true }
        : { ...atom(`CAST(${literal.text} AS ${sqlType(dialect, 'number')})`), isDouble: true };
    default:
      return signed(literal.text);
  }
}

const signed = (text: string): Sql => ({ text, level: text.startsWith('-') ? LEVEL.sign : LEVEL.atom });

/**
 * Postgres reads a backslash as itself only if the server is set so; in an escape string it always does when doubled.
 */
export function textLiteral(text: string, dialect: Dialect): string {
  const quoted = quoteLiteral(text);
  return dialect === 'postgres' && text.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}

function datetimeSql(text: string, zone: string): Sql {
  if (text.endsWith('Z')) return atom(`TIMESTAMPTZ ${quoteLiteral(`${text.slice(0, -1)}+00`)}`);
  const wall = `TIMESTAMP ${quoteLiteral(text)}`;
  return { ...atom(`(${wall} AT TIME ZONE ${quoteLiteral(zone)})`), wall };
}
