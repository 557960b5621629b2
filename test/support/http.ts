import type { Reply } from './conformance.ts';

/** One HTTP request, unchecked. */
export async function call(
  endpoint: string,
  method: string,
  path: string,
  request: { token?: string | undefined; body?: unknown; text?: string; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const text = request.text ?? (request.body === undefined ? undefined : JSON.stringify(request.body));
  const response = await fetch(endpoint + path, {
    method,
    headers: {
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...(request.token ? { authorization: `Bearer ${request.token}` } : {}),
      ...request.headers,
    },
    ...(text === undefined ? {} : { body: text }),
  });
  const answer = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, body: isJson && answer ? JSON.parse(answer) : answer };
}
