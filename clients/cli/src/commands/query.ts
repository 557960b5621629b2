import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { objects } from '../../../typescript/src/index.ts';
import { command, type Session } from '../command.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { idOf } from '../find.ts';
import { readInput } from '../input.ts';
import { counted, duration, table } from '../output.ts';

const TYPES = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  arrow: 'application/vnd.apache.arrow.stream',
  parquet: 'application/vnd.apache.parquet',
} as const;
const FORMATS = ['table', 'json', ...Object.keys(TYPES)] as ('table' | 'json' | keyof typeof TYPES)[];
const BINARY = new Set<string>(['arrow', 'parquet']);
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
      format: { kind: 'enum', values: FORMATS, brief: 'Format of the rows', ...optional },
      output: { kind: 'parsed', parse: String, brief: 'File for the rows', placeholder: 'FILE', ...optional },
      limit: { kind: 'parsed', parse: Number, brief: 'Maximum number of rows', placeholder: 'N', ...optional },
    },
    aliases: { f: 'file', p: 'param', o: 'output' },
    positional: { kind: 'tuple', parameters: [{ brief: 'The SQL', parse: String, placeholder: 'sql', ...optional }] },
  },
  async run(session, flags, sql) {
    const given = [sql, flags.file, flags.saved].filter((each) => each !== undefined);
    if (given.length !== 1)
      throw new CommandError(EXIT.usage, 'Pass a SQL statement, --file or --saved.', 'SQL_MISSING');
    const format = flags.format ?? (session.terminal.isJson ? 'json' : 'table');
    const ask = await questionOf(session, flags, sql);
    if (format !== 'table' && format !== 'json') return writeRows(session, ask, format, flags.output);
    const answer = await ask({});
    showRows(session, isLink(answer) ? await (await download(answer)).json() : (answer as Answer), format);
  },
});

type Ask = (options: { accept?: string }) => Promise<unknown>;

interface Answer {
  columns: { name: string; type?: string }[];
  rows: unknown[][];
  truncated?: boolean;
  stats?: { ms: number };
}

/** Asks for the rows of the given SQL or of the saved query. */
async function questionOf({ api, process, signal }: Session, flags: QueryFlags, sql: string | undefined): Promise<Ask> {
  const params = paramsOf(flags.param ?? []);
  const body = { ...(params && { params }), ...(flags.limit !== undefined && { limit: flags.limit }) };
  if (flags.saved !== undefined) {
    const id = await idOf(api.savedQueries, 'saved query', flags.saved, { signal });
    return (options) => api.savedQueries.run(id, body as never, { ...options, signal } as never);
  }
  const text = sql ?? (await readInput(flags.file!, process)).toString();
  return (options) => api.query.run({ ...body, sql: text } as never, { ...options, signal } as never);
}

/** Where rows are that are too many for a reply. */
interface Link {
  downloadUrl: string;
}

const isLink = (answer: unknown): answer is Link => (answer as Link).downloadUrl !== undefined;

async function download({ downloadUrl }: Link): Promise<Response> {
  const reply = await fetch(downloadUrl);
  if (!reply.ok) throw new CommandError(EXIT.failed, `The download failed with ${reply.status}.`, 'DOWNLOAD_FAILED');
  return reply;
}

async function writeRows({ process }: Session, ask: Ask, format: keyof typeof TYPES, output?: string): Promise<void> {
  if (BINARY.has(format) && output === undefined && process.stdout.isTTY) {
    const hint = `Rows as ${format} are not for a terminal. Give a file: --output rows.${format}`;
    throw new CommandError(EXIT.usage, hint, 'OUTPUT_MISSING');
  }
  const reply = (await ask({ accept: TYPES[format] })) as Response;
  const isMuch = reply.headers.get('content-type')?.startsWith('application/json');
  const { body } = isMuch ? await download((await reply.json()) as Link) : reply;
  const target = output === undefined ? process.stdout : createWriteStream(output);
  await pipeline(Readable.fromWeb(body as never), target, { end: output !== undefined });
}

function showRows({ terminal }: Session, found: Answer, format: 'table' | 'json'): void {
  if (format === 'json') {
    terminal.out(JSON.stringify([...objects(found)]));
    return;
  }
  const columns = found.columns.map(({ name, type }) => ({ name, isNumber: NUMBERS.has(type ?? '') }));
  terminal.out(table(terminal, columns, found.rows));
  const count = counted(found.rows.length, 'row');
  terminal.note(
    `${count}${found.truncated ? ', and there are more' : ''}${found.stats ? ` · ${duration(found.stats.ms)}` : ''}`,
  );
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
