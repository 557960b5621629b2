import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { request } from 'node:http';
import { basename } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import cliProgress from 'cli-progress';
import type { Api } from './api.ts';

interface Upload {
  method: string;
  url: string;
  headers: Record<string, string>;
}

/** Uploads a file directly to storage: the API only signs the URL. */
export async function uploadFile(api: Api, sourceId: string, file: string): Promise<void> {
  const { size } = await stat(file);
  const upload = await api.post<Upload>(`/api/data-sources/${sourceId}/uploads`, { path: basename(file), size });
  const bar = new cliProgress.SingleBar(
    { format: `  [{bar}] {percentage} %  ${basename(file)}`, hideCursor: true },
    cliProgress.Presets.shades_classic,
  );
  bar.start(size, 0);
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bar.increment(chunk.length);
      done(null, chunk);
    },
  });
  const status = await new Promise<number>((resolve, reject) => {
    const put = request(upload.url, { method: upload.method, headers: upload.headers }, (reply) => {
      reply.resume();
      reply.on('end', () => resolve(reply.statusCode ?? 0));
    });
    put.on('error', reject);
    pipeline(createReadStream(file), counted, put).catch(reject);
  });
  bar.stop();
  if (status !== 200) throw new Error(`the storage answered ${status} to the upload of ${basename(file)}`);
}
