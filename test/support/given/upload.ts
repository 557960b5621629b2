import type { Api } from '../api.ts';

/** A source of files with the given ones uploaded: the way a client does it, by a signed PUT. */
export async function givenFileSource(
  api: Api,
  files: Record<string, string | Buffer> = {},
  name = 'files',
): Promise<string> {
  const { body } = await api.as('owner').post('/api/data-sources', { name, type: 'file' });
  for (const [path, content] of Object.entries(files)) await uploadFile(api, body.id, path, content);
  return body.id;
}

export async function uploadFile(api: Api, sourceId: string, path: string, content: string | Buffer): Promise<void> {
  const bytes = Buffer.from(content);
  const upload = await api.as('owner').post(`/api/data-sources/${sourceId}/uploads`, { path, size: bytes.length });
  if (upload.status !== 201) throw new Error(`no upload for ${path}: ${JSON.stringify(upload.body)}`);
  const reply = await putFile(upload.body, bytes);
  if (!reply.ok) throw new Error(`could not upload ${path}: ${reply.status} ${await reply.text()}`);
}

export function putFile(
  upload: { url: string; method: string; headers: Record<string, string> },
  content: Buffer,
): Promise<Response> {
  const { 'content-length': _byTheClient, ...headers } = upload.headers;
  return fetch(upload.url, { method: upload.method, headers, body: new Uint8Array(content) });
}
