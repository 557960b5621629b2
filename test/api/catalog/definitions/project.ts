import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Api } from '../../../support/api.ts';
import { builtCommandLine } from '../../../support/built-client.ts';

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** A folder of files, and the program as its user runs it there. */
export function givenProject(files: Record<string, string>, { name = 'shop' } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'analytics-project-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  write('analytics.yaml', `# The files of the shop\nproject: ${name}\n`);
  for (const [path, content] of Object.entries(files)) write(path, content);
  return {
    folder,
    write,
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
    remove: (path: string) => rmSync(join(folder, path)),
    /** Every file with its bytes. */
    all: () =>
      Object.fromEntries(
        readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => [
            join(entry.parentPath, entry.name),
            readFileSync(join(entry.parentPath, entry.name), 'utf8'),
          ]),
      ),
  };
}

interface Running {
  url?: string;
  env?: Record<string, string>;
  meanwhile?: (child: ReturnType<typeof spawn>) => void;
}

/** Runs the program with a token. */
export async function program(api: Api, token: string) {
  const file = await builtCommandLine();
  return async (
    { folder }: { folder: string },
    args: string[],
    { url = api.endpoint, env, meanwhile }: Running = {},
  ): Promise<Ended> => {
    const child = spawn(process.execPath, [file, ...args], {
      cwd: folder,
      env: {
        ...{ HOME: join(folder, '.home'), PATH: process.env.PATH ?? '', TZ: 'UTC', NO_COLOR: '1' },
        ...{ ANALYTICS_URL: url, ANALYTICS_TOKEN: token },
        ...env,
      },
    });
    child.stdin.end();
    meanwhile?.(child);
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { code, out, err };
  };
}

/** An address that passes requests on to the platform, and reports each before it does. */
export async function givenProxy(
  endpoint: string,
  seen: (count: number, method: string, url: string) => 'drop' | undefined,
) {
  let count = 0;
  const server = createServer(async (incoming, outgoing) => {
    count += 1;
    const act = seen(count, incoming.method!, incoming.url!);
    const body = await buffer(incoming).catch(() => undefined);
    if (act === 'drop' || !body) return outgoing.destroy();
    const { host: _, connection: __, ...headers } = incoming.headers;
    const passed = request(endpoint + incoming.url, { method: incoming.method!, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode!, reply.headers);
      reply.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    passed.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, count: () => count };
}
