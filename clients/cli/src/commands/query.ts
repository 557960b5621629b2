import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { objects } from '../../../typescript/src/index.ts';
import { command } from '../command.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { idOf } from '../find.ts';
import { duration, table } from '../output.ts';

const TYPES = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  arrow: 'application/vnd.apache.arrow.stream',
  parquet: 'application/vnd.apache.parquet',
} as const;
const FORMATS = ['table', 'json', ...Object.keys(TYPES)] as ('table' | 'json' | keyof typeof TYPES)[];
const NUMBERS = new Set(['integer', 'decimal', 'number', 'float', 'double', 'bigint', 'hugeint']);

interface QueryFlags {
  file?: string;
  saved?: string;
  param?: readonly string[];
  format?: (typeof FORMATS)[number];
  output?: string;
  limit?: number;
}

const optional = { optional: true } as const;

export const query = command<QueryFlags, [sql?: string]>({
  brief: 'Run SQL, or a saved query',
  parameters: {
    flags: {
      file: {
        kind: 'parsed',
        parse: String,
        brief: 'File with the SQL; - for standard input',
        placeholder: 'FILE',
        ...optional,
      },
      saved: { kind: 'parsed', parse: String, brief: 'Name or id of a saved query', placeholder: 'QUERY', ...optional },
      param: {
        kind: 'parsed',
        parse: String,
        variadic: true,
        brief: 'A parameter, as name=value',
        placeholder: 'NAME=VALUE',
        ...optional,
      },
      format: { kind: 'enum', values: FORMATS, brief: 'Form of the rows', ...optional },
      output: { kind: 'parsed', parse: String, brief: 'File for the rows', placeholder: 'FILE', ...optional },
      limit: { kind: 'parsed', parse: Number, brief: 'Most rows', placeholder: 'N', ...optional },
    },
    aliases: { f: 'file', p: 'param', o: 'output' },
    positional: { kind: 'tuple', parameters: [{ brief: 'The SQL', parse: String, placeholder: 'sql', ...optional }] },
  },
  async run({ api, terminal, process, signal }, flags, sql) {
    const given = [sql, flags.file, flags.saved].filter((each) => each !== undefined);
    if (given.length !== 1) throw new CommandError(EXIT.usage, 'Give either SQL, --file or --saved.', 'SQL_MISSING');
    const format = flags.format ?? (terminal.isJson ? 'json' : 'table');
    const params = paramsOf(flags.param ?? []);
    const body = { ...(params && { params }), ...(flags.limit !== undefined && { limit: flags.limit }) };
    const saved =
      flags.saved === undefined ? undefined : await idOf(api.savedQueries, 'saved query', flags.saved, { signal });
    const text = saved === undefined ? (sql ?? (await readSql(flags.file!))) : undefined;
    if (format !== 'table' && format !== 'json') {
      const options = { accept: TYPES[format], signal };
      const response = await (saved === undefined
        ? api.query.run({ ...body, sql: text! } as never, options)
        : api.savedQueries.run(saved, body as never, options as never));
      const isText = format === 'csv' || format === 'ndjson';
      if (!isText && flags.output === undefined && process.stdout.isTTY) {
        throw new CommandError(
          EXIT.usage,
          `Rows as ${format} are not for a terminal. Give a file: --output rows.${format}`,
          'OUTPUT_MISSING',
        );
      }
      const target = flags.output === undefined ? process.stdout : createWriteStream(flags.output);
      await pipeline(Readable.fromWeb((response as unknown as Response).body as never), target, {
        end: flags.output !== undefined,
      });
      return;
    }
    const answer = await (saved === undefined
      ? api.query.run({ ...body, sql: text! } as never, { signal })
      : api.savedQueries.run(saved, body as never, { signal }));
    const found = answer as {
      columns: { name: string; type?: string }[];
      rows: unknown[][];
      truncated?: boolean;
      stats?: { ms: number };
    };
    if (format === 'json') return terminal.out(JSON.stringify([...objects(found)]));
    const columns = found.columns.map(({ name, type }) => ({ name, isNumber: NUMBERS.has(type ?? '') }));
    terminal.out(table(terminal, columns, found.rows));
    const more = found.truncated ? ', and there are more' : '';
    terminal.note(
      `${found.rows.length} row${found.rows.length === 1 ? '' : 's'}${more}${found.stats ? ` · ${duration(found.stats.ms)}` : ''}`,
    );
  },
});

async function readSql(path: string): Promise<string> {
  try {
    return await readFile(path === '-' ? '/dev/stdin' : path, 'utf8');
  } catch (cause) {
    throw new CommandError(EXIT.usage, `${path} cannot be read: ${(cause as Error).message}`, 'FILE_UNREADABLE');
  }
}

/** Values that are JSON, such as numbers and `true`, are sent as such, all others as texts. */
export function paramsOf(pairs: readonly string[]): Record<string, unknown> | undefined {
  if (pairs.length === 0) return undefined;
  return Object.fromEntries(
    pairs.map((pair) => {
      const end = pair.indexOf('=');
      if (end < 1) throw new CommandError(EXIT.usage, `"${pair}" is no parameter: write name=value.`, 'PARAM_INVALID');
      return [pair.slice(0, end), valueFrom(pair.slice(end + 1))];
    }),
  );
}

function valueFrom(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
