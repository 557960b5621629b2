import { request as requestHttp } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Reply } from './conformance.ts';

/** One HTTP request, unchecked; redirects are not followed. `from` is the loopback address that it comes from. */
export async function call(
  endpoint: string,
  method: string,
  path: string,
  request: {
    token?: string | undefined;
    body?: unknown;
    text?: string;
    headers?: Record<string, string>;
    from?: string;
  } = {},
): Promise<Reply> {
  const text = request.text ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
  const init = {
    method,
    redirect: 'manual' as const,
    headers: {
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...(request.token ? { authorization: `Bearer ${request.token}` } : {}),
      ...request.headers,
    },
    ...(text === undefined ? {} : { body: text }),
  };
  const url = endpoint + path;
  const response = request.from === undefined ? await fetch(url, init) : await fetchFrom(request.from, url, init);
  const bytes = Buffer.from(await response.arrayBuffer());
  const answer = bytes.toString();
  const isJson = /^application\/([\w.-]+\+)?json\b/.test(response.headers.get('content-type') ?? '');
  const body = isJson && answer ? JSON.parse(answer) : answer;
  return { status: response.status, headers: response.headers, body, bytes };
}

/** `fetch` from one of the machine's own addresses. */
function fetchFrom(
  localAddress: string,
  url: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body?: string },
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = requestHttp(url, { method, headers, localAddress, family: 4, agent: false }, async (answer) => {
      const replied = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
      const bytes = await buffer(answer);
      const status = answer.statusCode!;
      resolve(new Response(bytes.length > 0 ? new Uint8Array(bytes) : null, { status, headers: replied }));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
