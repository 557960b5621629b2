import { DataError, type DataIssue, positionAt } from '../../../platform/errors/data-error.ts';
import { type MysqlPiece, mysqlPieces } from './lexer.ts';

/*
 * The first of four protections for a user's SQL on a MySQL source. The text is then run as one prepared statement, in
 * a read-only transaction, as a role with few privileges. There is no parser for MySQL here, so this check works on
 * words: which may precede a bracket, and which may not appear at all.
 */

/**
 * Words that read files, write, lock, wait, or reach data outside of the tables. They are denied wherever they appear
 * unquoted.
 */
const DENIED_WORDS = new Set(
  `into outfile dumpfile load_file procedure analyse lock share update insert delete replace_into sleep benchmark get_lock
   release_lock release_all_locks is_free_lock is_used_lock master_pos_wait master_gtid_wait wait_for_executed_gtid_set
   source_pos_wait mysql performance_schema information_schema sys extractvalue updatexml nextval setval lastval user
   current_user session_user system_user database schema version connection_id last_insert_id found_rows row_count
   current_role sys_exec sys_eval uuid_short handler call execute prepare`
    .split(/\s+/)
    .filter(Boolean),
);

/** Words that may precede an opening bracket: keywords, and functions that only compute. */
const BEFORE_BRACKET = new Set(
  `select from where and or not xor in exists any all some as on using join values case when then else between like rlike
   regexp having by over union except intersect with is div mod distinct partition interval recursive limit offset return
   abs acos asin atan atan2 ceil ceiling conv cos cot crc32 degrees exp floor ln log log10 log2 pi pow power radians
   rand round sign sin sqrt tan truncate greatest least coalesce ifnull nullif if isnull
   ascii bin char char_length character_length concat concat_ws elt field find_in_set format hex insert_ instr lcase left
   length locate lower lpad ltrim mid oct octet_length ord position quote regexp_like regexp_instr regexp_replace
   regexp_substr repeat replace reverse right rpad rtrim soundex space strcmp substr substring substring_index trim ucase
   unhex upper weight_string to_base64 from_base64 md5 sha1 sha sha2
   adddate addtime convert_tz curdate curtime current_date current_time current_timestamp date date_add date_format
   date_sub datediff day dayname dayofmonth dayofweek dayofyear extract from_days from_unixtime get_format hour last_day
   localtime localtimestamp makedate maketime microsecond minute month monthname now period_add period_diff quarter
   sec_to_time second str_to_date subdate subtime sysdate time time_format time_to_sec timediff timestamp timestampadd
   timestampdiff to_days to_seconds unix_timestamp utc_date utc_time utc_timestamp week weekday weekofyear year yearweek
   avg bit_and bit_or bit_xor count group_concat json_arrayagg json_objectagg max min std stddev stddev_pop stddev_samp
   sum var_pop var_samp variance median percentile_cont percentile_disc
   cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number
   cast convert binary decimal numeric signed unsigned char_ nchar float double
   json_array json_contains json_contains_path json_depth json_extract json_keys json_length json_object json_overlaps
   json_pretty json_quote json_search json_type json_unquote json_valid json_value
   st_astext st_x st_y st_distance st_distance_sphere st_area st_length st_contains st_within st_intersects point
   bit_count inet_aton inet_ntoa inet6_aton inet6_ntoa uuid`
    .split(/\s+/)
    .filter(Boolean),
);

const MAX_DEPTH = 100;
const MAX_ISSUES = 50;

/**
 * Checks that the text is a single SELECT (or WITH … SELECT) and returns it without trailing semicolons, ready for use
 * in brackets. Throws all issues together.
 */
export function checkMysqlSelect(sql: string): string {
  const pieces = mysqlPieces(sql);
  while (pieces.at(-1)?.text === ';') pieces.pop();
  const first = pieces.find(({ text }) => text !== '(');
  const issues = issuesOf(sql, pieces);
  if (!first) issues.unshift({ code: 'SQL_PARSE', message: 'The SQL text is empty.' });
  else if (!/^(select|with)$/i.test(first.text)) {
    issues.unshift(issue(sql, first.at, 'Only a SELECT or WITH statement is allowed.'));
  }
  if (issues.length > 0) throw DataError.ofIssues(issues);
  const last = pieces.at(-1)!;
  return sql.slice(0, last.at + last.text.length);
}

/** Checks a condition over the columns of a table and returns it in brackets. Throws all issues together. */
export function checkMysqlCondition(condition: string): string {
  const pieces = mysqlPieces(condition);
  const issues = issuesOf(condition, pieces);
  if (pieces.length === 0) issues.push({ code: 'SQL_PARSE', message: 'The condition is empty.' });
  if (issues.length > 0) throw DataError.ofIssues(issues);
  return `(${condition}\n)`;
}

function issuesOf(sql: string, pieces: readonly MysqlPiece[]): DataIssue[] {
  const issues: DataIssue[] = [];
  let depth = 0;
  for (const [i, piece] of pieces.entries()) {
    const problem = problemOf(piece, pieces[i - 1], pieces[i + 1]);
    if (problem) issues.push(issue(sql, piece.at, problem));
    if (piece.text === '(') depth += 1;
    if (piece.text === ')') depth -= 1;
    if (depth < 0 || depth > MAX_DEPTH) {
      const problem = depth < 0 ? 'A bracket is closed that was never opened.' : 'Brackets are nested too deep.';
      issues.push(issue(sql, piece.at, problem));
      break;
    }
    if (issues.length >= MAX_ISSUES) break;
  }
  if (depth > 0) issues.push({ code: 'SQL_PARSE', message: 'A bracket is never closed.' });
  return issues;
}

function problemOf(piece: MysqlPiece, before?: MysqlPiece, next?: MysqlPiece): string | undefined {
  switch (piece.kind) {
    case 'hint':
      return 'Executable comments and hints are not allowed.';
    case 'variable':
      return 'Variables are not allowed.';
    case 'symbol':
      return symbolProblem(piece.text);
    case 'identifier':
      return identifierProblem(piece.text, before, next);
    case 'word':
      return wordProblem(piece.text, before, next);
    default:
      return undefined;
  }
}

function symbolProblem(text: string): string | undefined {
  if (text === ';') return 'Only one statement is allowed.';
  // The brackets and the colon belong to other dialects, as in `id::text` and `tags[1]`.
  return /[\\{}[\]:]/.test(text) ? `The character ${text} is not allowed.` : undefined;
}

const SYSTEM_SCHEMAS = ['mysql', 'performance_schema', 'information_schema', 'sys'];

function identifierProblem(text: string, before?: MysqlPiece, next?: MysqlPiece): string | undefined {
  if (SYSTEM_SCHEMAS.includes(text.slice(1, -1).toLowerCase())) return `${text} is not allowed.`;
  return next?.text === '(' && !isTableExpression(before) ? `The function ${text} is not allowed.` : undefined;
}

function wordProblem(text: string, before?: MysqlPiece, next?: MysqlPiece): string | undefined {
  const word = text.toLowerCase();
  const callsFunction = next?.text === '(';
  // After a dot it is the name of a table or a column.
  if (before?.text === '.') return callsFunction ? `The function ${text} is not allowed.` : undefined;
  if (word === 'share' && before?.text.toLowerCase() === 'for') return 'FOR SHARE is not allowed.';
  if (word === 'value' && /^(next|previous)$/i.test(before?.text ?? '')) return 'Sequences are not allowed.';
  if (DENIED_WORDS.has(word) && !isOrdinaryName(word, next)) return `${text} is not allowed.`;
  if (callsFunction && !BEFORE_BRACKET.has(word) && !isTableExpression(before)) {
    return `The function ${text} is not allowed.`;
  }
  return undefined;
}

/** `WITH name (columns) AS …` looks like a function call. */
const isTableExpression = (before?: MysqlPiece) => /^(with|recursive)$/i.test(before?.text ?? '');

const ORDINARY_NAMES = new Set(['user', 'database', 'schema', 'version', 'share', 'handler', 'mysql', 'sys']);

/** Some denied words are ordinary names of columns and tables unless they call a function or name a system schema. */
function isOrdinaryName(word: string, next?: MysqlPiece): boolean {
  if (!ORDINARY_NAMES.has(word) || next?.text === '(') return false;
  return !(next?.text === '.' && SYSTEM_SCHEMAS.includes(word));
}

const issue = (sql: string, at: number, message: string): DataIssue => ({
  code: 'SQL_NOT_READ_ONLY',
  message,
  position: positionAt(sql, at),
});
