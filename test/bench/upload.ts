import { open, stat } from 'node:fs/promises';
import type { Platform } from './platform.ts';

type Upload =
  | { kind: 'single'; method: string; url: string; headers: Record<string, string> }
  | { kind: 'parts'; uploadId: string; parts: { partNumber: number; url: string; size: number }[] };

/** Brings a file (its content or its path) to a data source, in parts where the platform asks for them. */
export async function uploadFile(
  platform: Platform,
  sourceId: string,
  path: string,
  file: Buffer | string,
): Promise<void> {
  const size = typeof file === 'string' ? (await stat(file)).size : file.length;
  const uploads = `/api/data-sources/${sourceId}/uploads`;
  const upload = await platform.call<Upload>('POST', uploads, { path, size });
  if (upload.kind === 'single') {
    await put(upload.url, await contentOf(file, 0, size), upload.headers);
    return;
  }
  const parts: { partNumber: number; etag: string }[] = [];
  let offset = 0;
  for (const { partNumber, url, size: partSize } of upload.parts) {
    const reply = await put(url, await contentOf(file, offset, partSize));
    parts.push({ partNumber, etag: reply.headers.get('etag') ?? '' });
    offset += partSize;
  }
  await platform.call('POST', `${uploads}/${encodeURIComponent(upload.uploadId)}/complete`, { path, parts });
}

async function put(url: string, body: Buffer<ArrayBuffer>, headers: Record<string, string> = {}): Promise<Response> {
  const reply = await fetch(url, { method: 'PUT', headers, body });
  if (!reply.ok) throw new Error(`an upload answered ${reply.status}: ${await reply.text()}`);
  return reply;
}

async function contentOf(file: Buffer | string, offset: number, size: number): Promise<Buffer<ArrayBuffer>> {
  if (typeof file !== 'string') return Buffer.from(file.subarray(offset, offset + size));
  const opened = await open(file);
  try {
    const content = Buffer.alloc(size);
    const { bytesRead } = await opened.read(content, 0, size, offset);
    if (bytesRead < size) throw new Error(`${file} ends before byte ${offset + size}`);
    return content;
  } finally {
    await opened.close();
  }
}
