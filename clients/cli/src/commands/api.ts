import { command, targetLine } from '../command.ts';
import { CommandError, EXIT, exitCodeOfStatus } from '../exit-codes.ts';
import { readInput } from '../input.ts';
import { paramsOf } from './query.ts';

interface ApiFlags {
  field?: readonly string[];
  input?: string;
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
    },
    aliases: { f: 'field' },
  },
  async run(session, { field = [], input }, method, path) {
    const { target, terminal, process, signal } = session;
    if (!METHODS.includes(method))
      throw new CommandError(EXIT.usage, `"${method}" is no method of the API.`, 'METHOD_UNKNOWN');
    const url = addressOf(target.url, path);
    if (method !== 'GET' && !terminal.isJson) terminal.note(targetLine(target));
    const fields = paramsOf(field);
    const isRead = method === 'GET';
    for (const [name, value] of Object.entries((isRead && fields) || {})) url.searchParams.set(name, String(value));
    const sent = isRead || !fields ? undefined : JSON.stringify(fields);
    const body = input === undefined ? sent : await readInput(input, process);
    const reply = await fetch(url, {
      method,
      signal,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${await session.token()}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: body as string }),
    });
    process.stdout.write(Buffer.from(await reply.arrayBuffer()));
    if (process.stdout.isTTY) process.stdout.write('\n');
    if (reply.status >= 400) process.exitCode = exitCodeOfStatus(reply.status);
  },
});

/** A path must not lead to another host, nor out of the API. */
function addressOf(platform: string, path: string): URL {
  const base = platform.replace(/\/+$/, '').replace(/(\/api)?$/, '/api');
  const url = new URL(`${base}/${path.replace(/^\/?(api\/)?/, '')}`);
  if (!url.href.startsWith(`${base}/`))
    throw new CommandError(EXIT.usage, `"${path}" is not below ${base}.`, 'PATH_INVALID');
  return url;
}
