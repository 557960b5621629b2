import type { BoundParameter, QueryParameters } from '../../../data/duckdb/parameters.ts';
import { type TokenKind, tokens } from '../../../data/sql/lexer.ts';
import { plainValue } from '../../../data/sql/positional-parameters.ts';

/**
 * Returns the same text for statements that differ only in layout, comments and trailing semicolons. Case is kept,
 * because it appears in the names of result columns.
 */
export function canonicalSql(sql: string): string {
  let text = '';
  let gap = '';
  let before: TokenKind | undefined;
  for (const { kind, start, end } of tokens(sql)) {
    const piece = sql.slice(start, end);
    if (kind === 'space' || kind === 'comment') {
      gap += piece;
      continue;
    }
    // Two literals with a line break between them are one literal; elsewhere a line break is only a space.
    const joins = before === 'string' && kind === 'string' && gap.includes('\n');
    if (gap !== '' && text !== '') text += joins ? '\n' : ' ';
    text += piece;
    gap = '';
    before = kind;
  }
  return text.replace(/[\s;]+$/, '');
}

const VOLATILE_NAMES = new Set(
  `now current_date current_timestamp current_time localtime localtimestamp today age ago get_current_time
   get_current_timestamp current_localtime current_localtimestamp transaction_timestamp statement_timestamp
   sample tablesample`.split(/\s+/),
);

/** Names that are volatile only where they are called; columns may have them too. */
const VOLATILE_FUNCTIONS = new Set(
  `clock_timestamp timeofday random random_normal setseed rand uuid gen_random_uuid uuidv4 uuidv7 uuid_generate_v1
   uuid_generate_v1mc uuid_generate_v4 uuid_short nextval currval lastval setval getvariable txid_current
   txid_current_if_assigned txid_current_snapshot pg_current_xact_id pg_current_xact_id_if_assigned pg_current_snapshot
   current_transaction_id current_connection_id current_query_id current_query current_setting set_config pg_backend_pid
   pg_postmaster_start_time pg_conf_load_time sysdate curdate curtime utc_date utc_time utc_timestamp unix_timestamp
   connection_id last_insert_id found_rows row_count`.split(/\s+/),
);

/** Databases read these texts as instants, also together with a time. */
const CLOCK_WORD = /^[\s\d:.,+-]*(now|today|tomorrow|yesterday|allballs)[\s\d:.,+-]*$/i;
const DELIMITER = /^(\w*'|\$\w*\$)|('|\$\w*\$)$/g;

/**
 * Whether the result may differ over the same data, so that caching it is wrong. A parameter with a word for an instant
 * counts, because the statement may cast it.
 */
export function isVolatile({ sql, params }: { sql: string; params: QueryParameters }): boolean {
  if (Object.values(params).some(isClockWord)) return true;
  let called = '';
  for (const { kind, start, end } of tokens(sql)) {
    if (kind === 'space' || kind === 'comment') continue;
    const piece = sql.slice(start, end);
    if (piece.startsWith('(') && VOLATILE_FUNCTIONS.has(called)) return true;
    const isName = kind === 'word' || kind === 'identifier';
    called = isName ? piece.replaceAll('"', '').toLowerCase() : '';
    if (kind === 'string' && CLOCK_WORD.test(piece.replace(DELIMITER, ''))) return true;
    if (VOLATILE_NAMES.has(called)) return true;
  }
  return false;
}

function isClockWord(value: BoundParameter): boolean {
  const text = plainValue(value);
  if (Array.isArray(text)) return (text as readonly BoundParameter[]).some(isClockWord);
  return typeof text === 'string' && CLOCK_WORD.test(text);
}
