import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Credentials } from '../seed.ts';
import { localConsole } from '../settings.ts';

/** A small client for the API, such as any program might start with. */
export interface Api {
  readonly baseUrl: string;
  /** The first person of the platform; the password is in the credentials that `npm start` wrote. */
  readonly email: string;
  /** Where that person signs in. */
  readonly consoleUrl: string;
  readonly credentialsFile: string;
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: unknown): Promise<T>;
  delete(path: string): Promise<void>;
  /** Yields server-sent events until the server ends the stream. */
  events(path: string): AsyncGenerator<{ event: string; data: Record<string, unknown> }>;
}

/** Reads the credentials that `npm start` wrote. */
export async function openApi(): Promise<Api> {
  const path = join(process.env.LOCAL_DATA_DIR ?? '.local', 'credentials.json');
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`There is no ${path}: run npm start in another terminal first.`);
  });
  const { baseUrl, email, apiKey } = JSON.parse(text) as Credentials;

  async function send(method: string, path: string, body?: unknown): Promise<Response> {
    const reply = await fetch(baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw new Error(`${baseUrl} does not answer: is npm start running?`, { cause });
    });
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`);
    return reply;
  }

  return {
    baseUrl,
    email,
    consoleUrl: localConsole(new URL(baseUrl).port),
    credentialsFile: path,
    get: async (path) => (await send('GET', path)).json() as never,
    post: async (path, body) => (await send('POST', path, body)).json() as never,
    delete: async (path) => void (await send('DELETE', path)),
    async *events(path) {
      const reply = await send('GET', path);
      yield* parseEvents(reply.body!.pipeThrough(new TextDecoderStream()));
    },
  };
}

/** Parses frames of a `text/event-stream`, separated by an empty line; see the HTML standard, section 9.2. */
async function* parseEvents(chunks: AsyncIterable<string>) {
  let rest = '';
  for await (const chunk of chunks) {
    const frames = (rest + chunk).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const field = (name: string) =>
        frame
          .split('\n')
          .filter((line) => line.startsWith(`${name}:`))
          .map((line) => line.slice(name.length + 1).trimStart())
          .join('\n');
      const [event, data] = [field('event'), field('data')];
      if (event && data) yield { event, data: JSON.parse(data) as Record<string, unknown> };
    }
  }
}
