import { command, type Session, targetLine } from '../command.ts';
import { CommandError, EXIT, exitCodeOfStatus } from '../exit-codes.ts';
import { readInput } from '../input.ts';
import { USER_AGENT } from '../user-agent.ts';
import { paramsOf } from './query.ts';

interface ApiFlags {
  field?: readonly string[];
  input?: string;
  paginate?: boolean;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export const api = command<ApiFlags, [method: string, path: string]>({
  brief: 'Call any operation of the API, and print its reply',
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        {
          brief: 'GET, POST, PUT, PATCH or DELETE',
          parse: (text: string) => text.toUpperCase(),
          placeholder: 'method',
        },
        { brief: 'Path below /api, such as /datasets', parse: String, placeholder: 'path' },
      ],
    },
    flags: {
      field: {
        kind: 'parsed',
        parse: String,
        variadic: true,
        brief: 'Member of the body, or of the query of GET',
        placeholder: 'NAME=VALUE',
        optional: true,
      },
      input: {
        kind: 'parsed',
        parse: String,
        brief: 'File with the body; - for standard input',
        placeholder: 'FILE',
        optional: true,
      },
      paginate: {
        kind: 'boolean',
        brief: 'Print every item of a list, one per line',
        optional: true,
        withNegated: false,
      },
    },
    aliases: { f: 'field' },
  },
  async run(session, { field = [], input, paginate }, method, path) {
    const { target, terminal, process } = session;
    if (!METHODS.includes(method))
      throw new CommandError(EXIT.usage, `"${method}" is no method of the API.`, 'METHOD_UNKNOWN');
    const url = addressOf(target.url, path);
    if (method !== 'GET' && !terminal.isJson) terminal.note(targetLine(target));
    const fields = paramsOf(field);
    const isRead = method === 'GET';
    for (const [name, value] of Object.entries((isRead && fields) || {})) url.searchParams.set(name, String(value));
    const sent = isRead || !fields ? undefined : JSON.stringify(fields);
    const body = input === undefined ? sent : await readInput(input, process);
    if (paginate && !isRead) throw new CommandError(EXIT.usage, '--paginate works only with GET.', 'METHOD_UNKNOWN');
    if (paginate) return printItems(session, url);
    printReply(session, await send(session, url, method, body as string | undefined));
  },
});

interface Reply {
  status: number;
  content: Buffer;
}

async function send(session: Session, url: URL, method: string, body?: string): Promise<Reply> {
  const reply = await fetch(url, {
    method,
    signal: session.signal,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${await session.token()}`,
      'user-agent': USER_AGENT,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body }),
  });
  return { status: reply.status, content: Buffer.from(await reply.arrayBuffer()) };
}

function printReply({ process }: Session, { status, content }: Reply): void {
  process.stdout.write(content);
  if (process.stdout.isTTY) process.stdout.write('\n');
  if (status >= 400) process.exitCode = exitCodeOfStatus(status);
}

interface Page {
  items?: unknown[];
  nextCursor?: string | null;
  total?: number;
  limit?: number;
  offset?: number;
}

/** The items of all pages, which follow each other by cursor, or else by offset. */
async function printItems(session: Session, url: URL): Promise<void> {
  for (;;) {
    const reply = await send(session, url, 'GET');
    if (reply.status >= 400) return printReply(session, reply);
    const { items, nextCursor, total = 0, limit = 0, offset = 0 } = pageFrom(reply.content);
    if (!items) throw new CommandError(EXIT.usage, 'The reply is not a list; omit --paginate.', 'NOT_A_LIST');
    for (const item of items) session.terminal.out(JSON.stringify(item));
    if (typeof nextCursor === 'string') url.searchParams.set('cursor', nextCursor);
    else if (nextCursor === undefined && items.length > 0 && limit > 0 && offset + limit < total)
      url.searchParams.set('offset', String(offset + limit));
    else return;
  }
}

function pageFrom(content: Buffer): Page {
  try {
    return JSON.parse(content.toString('utf8')) as Page;
  } catch {
    return {};
  }
}

/** A path must not lead to another host, nor out of the API. */
function addressOf(platform: string, path: string): URL {
  const base = platform.replace(/\/+$/, '').replace(/(\/api)?$/, '/api');
  const url = new URL(`${base}/${path.replace(/^\/?(api\/)?/, '')}`);
  if (!url.href.startsWith(`${base}/`))
    throw new CommandError(EXIT.usage, `"${path}" is not below ${base}.`, 'PATH_INVALID');
  return url;
}
