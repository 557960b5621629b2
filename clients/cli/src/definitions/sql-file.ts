import { isMapping } from './parts.ts';
import { markVariables, unmarkVariables } from './variables.ts';
import { loadYaml, type Place, YAML_OPTIONS } from './yaml.ts';

/** A line of the header of a saved query, such as `-- name: Open orders`. Its value is YAML. */
const HEADER = /^-- ([A-Za-z]+:(?: .*)?)$/;
const MARK = '-- '.length;
const INDENT = '  ';

/** The file of a saved query in SQL as YAML, and where its places are. */
export interface AsYaml {
  yaml: string;
  placeInSql(place: Place): Place;
}

/**
 * The members of a saved query are comments at the top; the rest is its statement. An empty line after the header
 * belongs to neither, and nor does the end of the last line.
 */
export function yamlOfSql(file: string): AsYaml {
  const lines = file.split('\n');
  const end = lines.findIndex((line) => !HEADER.test(line));
  const header = lines.slice(0, end === -1 ? lines.length : end);
  const start = header.length + (lines[header.length] === '' && lines.length > header.length + 1 ? 1 : 0);
  const sql = withoutLastBreak(lines.slice(start).join('\n'));
  const members = header.map((line) => `${HEADER.exec(line)![1]}\n`).join('');
  return {
    yaml: `${members}sql: ${blockOf(sql)}\n`,
    placeInSql({ line, column }) {
      if (line <= header.length) return { line, column: column + MARK };
      // The statement begins in the line below its name.
      if (line === header.length + 1) return { line: start + 1, column: 1 };
      return { line: line - header.length - 1 + start, column: Math.max(1, column - INDENT.length) };
    },
  };
}

export const withoutLastBreak = (text: string): string => text.replace(/\n$/, '');

/** The text as YAML that has it line by line, where YAML can. */
function blockOf(sql: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these cannot stand in a block of YAML as they are
  if (!/\S/.test(sql) || /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]/.test(sql))
    return JSON.stringify(sql);
  const ends = sql.endsWith('\n');
  const lines = (ends ? sql.slice(0, -1) : sql).split('\n').map((line) => (line === '' ? '' : INDENT + line));
  return `|2${ends ? '+' : '-'}\n${lines.join('\n')}${ends ? '\n' : ''}`.replace(/\n$/, '');
}

/** The YAML of a saved query as a file of SQL. */
export async function sqlOfYaml(source: string): Promise<string> {
  const yaml = await loadYaml();
  const document = yaml.parseDocument(markVariables(source), YAML_OPTIONS);
  const value = document.toJS() as unknown;
  if (!isMapping(value) || typeof value.sql !== 'string') throw new Error('a saved query has a statement');
  const { sql, ...members } = value;
  const header = Object.entries(members).map(([name, member]) => {
    const written = yaml.stringify({ [name]: member }, { lineWidth: 0, singleQuote: true, collectionStyle: 'flow' });
    const line = written.trim().replace(/^\{ */, '').replace(/ *\}$/, '');
    return `-- ${line.includes('\n') ? `${name}: ${JSON.stringify(member)}` : line}\n`;
  });
  const isMistakable = sql.startsWith('\n') || HEADER.test(sql.split('\n')[0]!);
  return unmarkVariables(`${header.join('')}${isMistakable ? '\n' : ''}${sql}\n`);
}

/** A statement that is kept in a file of its own, such as `sql: { file: nightly/clean.sql }`. */
const IN_FILE = /\bsql:(\s*)\{\s*file:\s*(["']?)([^"'{},\s]+)\2\s*\}/g;

/** The paths of the statements that a file names, from its folder. */
export const sqlFilesIn = (source: string): string[] => [...source.matchAll(IN_FILE)].map(([, , , path = '']) => path);

export interface Inlined {
  text: string;
  /** The place in the file of a place in the text. Statements are in one line, so only columns differ. */
  placeInFile(place: Place): Place;
}

/** The file with the statements in place of the names of their files. */
export function withSqlFiles(source: string, sqlFiles: ReadonlyMap<string, string>): Inlined {
  const shifts: { line: number; column: number; length: number; by: number }[] = [];
  const lines = source.split('\n').map((content, index) => {
    let shift = 0;
    return content.replaceAll(IN_FILE, (whole, space: string, _quote, path: string, at: number) => {
      const sql = sqlFiles.get(path);
      if (sql === undefined) return whole;
      const written = `sql:${space}${JSON.stringify(withoutLastBreak(sql))}`;
      shifts.push({
        line: index + 1,
        column: at + shift + 1,
        length: written.length,
        by: whole.length - written.length,
      });
      shift += written.length - whole.length;
      return written;
    });
  });
  return {
    text: lines.join('\n'),
    placeInFile({ line, column }) {
      let moved = 0;
      for (const each of shifts) {
        if (each.line !== line || each.column > column) continue;
        if (column < each.column + each.length) return { line, column: Math.min(column, each.column + 5) + moved };
        moved += each.by;
      }
      return { line, column: column + moved };
    },
  };
}
