import { quoteIdentifier } from '../../duckdb/quoting.ts';

/** A column of a table of Postgres, with the type that the engine would read it as. */
export interface ServerField {
  name: string;
  type: string;
  oid: number;
}

/** How Postgres can compare the values of a column as the engine does; `none` if only their absence is the same. */
export type ServerKind = 'boolean' | 'number' | 'double' | 'text' | 'time' | 'none';

export interface ServerColumn extends ServerField {
  kind: ServerKind;
  /** SQL for the value that the engine would read, given the column of the table. */
  value: string;
}

const BOOLEAN = 16;
const INTEGERS = [20, 21, 23];
const NUMERIC = 1700;
const DOUBLE = 701;
/** Their values compare as bytes with the collation "C", like those of the engine. */
const TEXTS = [25, 1043];
const DATE = 1082;
const TIMESTAMPS = [1114, 1184];
/** `bytea`, `json`, `jsonb` and `real`: read without loss, but compared in another way. */
const OPAQUE = [17, 114, 3802, 700];

/** The last timestamp of the engine, which reads later ones as null. */
const LAST_TIMESTAMP = '294247-01-10 04:00:54.775806';

/** Undefined if Postgres cannot tell which values the engine would read as null. */
export function serverColumn(field: ServerField): ServerColumn | undefined {
  const { name, oid, type } = field;
  const c = quoteIdentifier(name);
  const as = (kind: ServerKind, value: string): ServerColumn => ({ ...field, kind, value });
  if (oid === BOOLEAN) return as('boolean', c);
  if (INTEGERS.includes(oid)) return as('number', c);
  if (oid === DOUBLE) return as('double', c);
  if (oid === NUMERIC) return numeric(type, c, as);
  if (TEXTS.includes(oid)) return as('text', `${c} COLLATE "C"`);
  // What is infinite is null.
  if (oid === DATE) return as('time', `CASE WHEN ${c} > '-infinity' AND ${c} < 'infinity' THEN ${c} END`);
  if (TIMESTAMPS.includes(oid))
    return as('time', `CASE WHEN ${c} > '-infinity' AND ${c} <= '${LAST_TIMESTAMP}' THEN ${c} END`);
  if (OPAQUE.includes(oid)) return as('none', c);
  // Other types are read as the text that Postgres sends, which `concat` returns, too. A row of nulls is no null.
  return type === 'string'
    ? as('text', `CASE WHEN ${c} IS DISTINCT FROM NULL THEN concat(${c}) COLLATE "C" END`)
    : undefined;
}

/** Not a number, and what has too many digits, is null; further decimal places are rounded, half away from zero. */
function numeric(
  type: string,
  c: string,
  as: (kind: ServerKind, value: string) => ServerColumn,
): ServerColumn | undefined {
  const [, precision, scale] = /^decimal\((\d+),(\d+)\)$/.exec(type) ?? [];
  if (precision === undefined) return undefined;
  const rounded = `round(${c}, ${scale})`;
  return as('number', `CASE WHEN abs(${rounded}) < 1e${Number(precision) - Number(scale)} THEN ${rounded} END`);
}
