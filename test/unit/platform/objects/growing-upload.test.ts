import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, HeadObjectCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { LocalCloud } from '../../../../packages/local-cloud/index.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { LOCAL_ACCESS } from '../../../support/local-table.ts';

const MB = 1024 ** 2;
const Bucket = 'growing';
const SIZES = { singleBytes: 100 * MB, partBytes: 5 * MB };
const root = mkdtempSync(join(tmpdir(), 'growing-upload-'));
let cloud: LocalCloud;
let s3: S3Client;

beforeAll(async () => {
  cloud = await LocalCloud.open({ dataDir: join(root, 'cloud'), port: 0 });
  s3 = new S3Client({ endpoint: cloud.endpoint, forcePathStyle: true, ...LOCAL_ACCESS });
  await s3.send(new CreateBucketCommand({ Bucket }));
});
afterAll(async () => {
  await cloud.close();
  rmSync(root, { recursive: true, force: true });
});

let files = 0;

/** A file that the test writes, its upload, and the numbers of parts that are sent. */
function growing(signal?: AbortSignal) {
  const key = `file-${++files}`;
  const path = join(root, key);
  const client = new S3Client({ endpoint: cloud.endpoint, forcePathStyle: true, ...LOCAL_ACCESS });
  onTestFinished(() => client.destroy());
  const waiting: { parts: number; resolve: () => void }[] = [];
  let sent = 0;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const reply = await next(args);
      if (context.commandName === 'UploadPartCommand') sent += 1;
      for (const { parts, resolve } of waiting) if (sent >= parts) resolve();
      return reply;
    },
    { step: 'initialize' },
  );
  const { promise: written, resolve: end, reject: fail } = Promise.withResolvers<void>();
  const whole = objectStore(Bucket, client, SIZES);
  const store = signal ? whole.within(signal) : whole;
  const reached = (parts: number) => new Promise<void>((resolve) => waiting.push({ parts, resolve }));
  return { key, path, end, fail, reached, sent: () => sent, upload: store.uploadGrowing(key, path, written) };
}

const read = (key: string) => objectStore(Bucket, s3).read(key);
const find = (key: string) => objectStore(Bucket, s3).find(key);

async function unfinished(key: string): Promise<number> {
  const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix: key }));
  return Uploads.length;
}

describe('the upload of a file that grows', () => {
  it('sends parts before the file is complete, and is one object of all bytes afterwards', async () => {
    const content = randomBytes(13 * MB + 7);
    const { key, path, end, reached, sent, upload } = growing();
    const two = reached(2);
    appendFileSync(path, content.subarray(0, 6 * MB));
    appendFileSync(path, content.subarray(6 * MB, 11 * MB));
    await two;
    expect([sent(), await find(key)]).toEqual([2, undefined]);
    appendFileSync(path, content.subarray(11 * MB));
    end();
    await upload.finish();
    expect((await read(key)).equals(content)).toBe(true);
    const { ETag, ContentType } = await s3.send(new HeadObjectCommand({ Bucket, Key: key }));
    expect([ETag!.endsWith('-3"'), ContentType]).toEqual([true, 'application/vnd.apache.parquet']);
    expect(await unfinished(key)).toBe(0);
  });

  it('needs one request for a small file', async () => {
    const { key, path, end, upload } = growing();
    writeFileSync(path, 'small');
    end();
    await upload.finish();
    expect(String(await read(key))).toBe('small');
    expect((await s3.send(new HeadObjectCommand({ Bucket, Key: key }))).ETag).not.toContain('-');
  });

  it('uploads the file that took the place of the one it had begun with', async () => {
    const { key, path, end, reached, upload } = growing();
    const one = reached(1);
    writeFileSync(path, randomBytes(6 * MB));
    await one;
    rmSync(path);
    const content = randomBytes(7 * MB);
    writeFileSync(path, content);
    end();
    await upload.finish();
    expect((await read(key)).equals(content)).toBe(true);
    expect(await unfinished(key)).toBe(0);
  });

  it('leaves nothing behind when it is abandoned, or after its file could not be written', async () => {
    for (const isWritten of [true, false]) {
      const { key, path, end, fail, reached, upload } = growing();
      const one = reached(1);
      writeFileSync(path, randomBytes(6 * MB));
      await one;
      if (isWritten) end();
      else fail(new Error('the engine failed'));
      await upload.abandon();
      await upload.abandon();
      expect([await find(key), await unfinished(key)]).toEqual([undefined, 0]);
    }
  });

  it('fails when its attempt is stopped, and leaves nothing behind', async () => {
    const controller = new AbortController();
    const { key, path, end, reached, upload } = growing(controller.signal);
    const one = reached(1);
    writeFileSync(path, randomBytes(11 * MB));
    await one;
    controller.abort(new Error('stopped'));
    end();
    await expect(upload.finish()).rejects.toThrow();
    expect([await find(key), await unfinished(key)]).toEqual([undefined, 0]);
  });
});
