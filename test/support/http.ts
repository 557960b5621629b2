import type { Reply } from './conformance.ts';

/** One HTTP request, unchecked; redirects are not followed. */
export async function call(
  endpoint: string,
  method: string,
  path: string,
  request: { token?: string | undefined; body?: unknown; text?: string; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const text = request.text ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
  const response = await fetch(endpoint + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...(request.token ? { authorization: `Bearer ${request.token}` } : {}),
      ...request.headers,
    },
    ...(text === undefined ? {} : { body: text }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const answer = bytes.toString();
  const isJson = /^application\/([\w.-]+\+)?json\b/.test(response.headers.get('content-type') ?? '');
  const body = isJson && answer ? JSON.parse(answer) : answer;
  return { status: response.status, headers: response.headers, body, bytes };
}
