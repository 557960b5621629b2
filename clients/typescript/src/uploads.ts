import { AnalyticsError, ConnectionError } from './core/errors.ts';
import type { CallOptions } from './core/options.ts';
import { pause } from './core/request.ts';
import type { Resources } from './generated/resources.ts';

/** A file to upload. `Blob` is what browsers have, and `fs.openAsBlob` of Node: it is read in parts, as they are sent. */
export type UploadContent = Blob | Uint8Array<ArrayBuffer> | string;

export interface UploadOptions extends Pick<CallOptions, 'signal'> {
  contentType?: string;
  /** Parts that are sent at the same time; 4 by default. */
  parallel?: number;
  onProgress?: (progress: { sentBytes: number; totalBytes: number }) => void;
}

type Sources = Pick<Resources, 'dataSources'>;

const PARALLEL = 4;
const TRIES = 4;
const FIRST_WAIT_MS = 500;

/**
 * Uploads a file to a data source of the type `file`, in parts if it is large. Each part is tried again by itself. A
 * file that cannot be completed is abandoned: the path keeps its former content.
 */
export async function uploadFile(
  { dataSources }: Sources,
  sourceId: string,
  path: string,
  content: UploadContent,
  options: UploadOptions = {},
): Promise<void> {
  const blob = content instanceof Blob ? content : new Blob([content]);
  const { signal, contentType, onProgress, parallel = PARALLEL } = options;
  const begun = await dataSources.createUpload(
    sourceId,
    { path, size: blob.size, ...(contentType !== undefined && { contentType }) },
    signal && { signal },
  );
  let sentBytes = 0;
  const sent = (bytes: number) => {
    sentBytes += bytes;
    onProgress?.({ sentBytes, totalBytes: blob.size });
  };
  if (begun.kind === 'single') {
    await put(begun.url, blob, begun.headers, signal);
    sent(blob.size);
    return;
  }
  const { uploadId } = begun;
  let offset = 0;
  const parts = begun.parts.map((part) => {
    const start = offset;
    offset += part.size;
    return { ...part, start };
  });
  try {
    const tags = await inParallel(parts, parallel, async ({ url, start, size, partNumber }) => {
      const etag = await put(url, blob.slice(start, start + size), {}, signal);
      sent(size);
      return { partNumber, etag };
    });
    await dataSources.completeUpload(sourceId, uploadId, { path, parts: tags }, signal && { signal });
  } catch (error) {
    await dataSources.abortUpload(sourceId, uploadId, { path }).catch(() => {});
    throw error;
  }
}

/** Sends bytes to a presigned address and returns their tag. Sending them again has the same effect. */
async function put(url: string, body: Blob, headers: Record<string, string>, signal?: AbortSignal): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    const failure = await tryPut(url, { method: 'PUT', body, headers, ...(signal && { signal }) });
    if (typeof failure === 'string') return failure;
    if (signal?.aborted) throw signal.reason;
    if (attempt === TRIES || !(failure instanceof ConnectionError)) throw failure;
    await pause(FIRST_WAIT_MS * 2 ** (attempt - 1), signal);
  }
}

/** The tag, or what the try failed with: a `ConnectionError` may pass. */
async function tryPut(url: string, request: RequestInit): Promise<string | Error> {
  try {
    const reply = await fetch(url, request);
    if (reply.ok) return reply.headers.get('etag') ?? '';
    const text = `The upload was answered with ${reply.status}: ${(await reply.text()).slice(0, 200)}`;
    const mayPass = reply.status >= 500 || reply.status === 408 || reply.status === 429;
    return mayPass ? new ConnectionError(text) : new AnalyticsError(text);
  } catch (cause) {
    return new ConnectionError('The upload got no reply.', { cause });
  }
}

/** Results in the order of the values; after the first failure no more are begun. */
async function inParallel<V, R>(values: readonly V[], most: number, work: (value: V) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  let hasFailed = false;
  const worker = async () => {
    while (next < values.length && !hasFailed) {
      const index = next++;
      try {
        results[index] = await work(values[index]!);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, values.length) }, worker));
  return results;
}
