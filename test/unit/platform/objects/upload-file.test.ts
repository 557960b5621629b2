import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, HeadObjectCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LocalCloud } from '../../../../packages/local-cloud/index.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { partSize } from '../../../../shared/platform/objects/upload-file.ts';
import { LOCAL_ACCESS } from '../../../support/local-table.ts';

const MB = 1024 ** 2;
const Bucket = 'uploads';
const SIZES = { singleBytes: 6 * MB, partBytes: 5 * MB };
const root = mkdtempSync(join(tmpdir(), 'upload-file-'));
const content = randomBytes(32 * MB + 7);
const path = join(root, 'large');
let cloud: LocalCloud;
let s3: S3Client;

beforeAll(async () => {
  writeFileSync(path, content);
  cloud = await LocalCloud.open({ dataDir: join(root, 'cloud'), port: 0 });
  s3 = clientOf(cloud.endpoint);
  await s3.send(new CreateBucketCommand({ Bucket }));
});
afterAll(async () => {
  await cloud.close();
  rmSync(root, { recursive: true, force: true });
});

const clientOf = (endpoint: string) => new S3Client({ endpoint, forcePathStyle: true, ...LOCAL_ACCESS });
const store = () => objectStore(Bucket, s3, SIZES);

async function unfinished(key: string): Promise<number> {
  const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket, Prefix: key }));
  return Uploads.length;
}

/** A client that calls `before` with the number of each part that it sends. */
function watched(before: (part: number) => void): S3Client {
  const client = clientOf(cloud.endpoint);
  client.middlewareStack.add(
    (next, context) => async (args) => {
      if (context.commandName === 'UploadPartCommand') before((args.input as { PartNumber: number }).PartNumber);
      return next(args);
    },
    { step: 'initialize' },
  );
  return client;
}

describe('the upload of a file', () => {
  it('has parts of a size that 10,000 of them hold any output', () => {
    const GB = 1024 ** 3;
    for (const size of [2 * GB, 5 * GB, 156 * GB, 200 * GB, 200 * GB + 1, 5000 * GB]) {
      const bytes = partSize(size, 16 * MB);
      expect(bytes).toBeGreaterThanOrEqual(16 * MB);
      expect(Math.ceil(size / bytes)).toBeLessThanOrEqual(10_000);
    }
    expect(partSize(200 * GB, 16 * MB)).toBeLessThan(22 * MB);
  });

  it('is one object of its parts, byte for byte, with its type', async () => {
    await store().upload('whole', path, 'text/csv');
    expect((await store().read('whole')).equals(content)).toBe(true);
    const { ETag, ContentType } = await s3.send(new HeadObjectCommand({ Bucket, Key: 'whole' }));
    expect([ETag!.endsWith('-7"'), ContentType]).toEqual([true, 'text/csv']);
    expect(await unfinished('whole')).toBe(0);
  });

  it('needs no parts for a small file', async () => {
    const small = join(root, 'small');
    writeFileSync(small, content.subarray(0, 6 * MB));
    await store().upload('small', small);
    const { ETag } = await s3.send(new HeadObjectCommand({ Bucket, Key: 'small' }));
    expect(ETag).not.toContain('-');
  });

  it('leaves nothing behind when it fails', async () => {
    const failing = watched((part) => {
      if (part === 6) throw new Error('the network is gone');
    });
    await expect(objectStore(Bucket, failing, SIZES).upload('failed', path)).rejects.toThrow('the network is gone');
    expect(await store().find('failed')).toBeUndefined();
    expect(await unfinished('failed')).toBe(0);
  });

  it('leaves nothing behind when it is stopped', async () => {
    const controller = new AbortController();
    const stopping = watched((part) => {
      if (part === 6) controller.abort(new Error('stopped'));
    });
    const upload = objectStore(Bucket, stopping, SIZES).within(controller.signal).upload('stopped', path);
    await expect(upload).rejects.toThrow();
    expect(await store().find('stopped')).toBeUndefined();
    expect(await unfinished('stopped')).toBe(0);
  });

  it('by a worker that died has no effect on a later one', async () => {
    const module = new URL('../../../../shared/platform/objects/object-store.ts', import.meta.url).href;
    const program = `
      import { S3Client } from '@aws-sdk/client-s3';
      import { objectStore } from '${module}';
      const s3 = new S3Client({ endpoint: '${cloud.endpoint}', forcePathStyle: true, ...${JSON.stringify(LOCAL_ACCESS)} });
      let sent = 0;
      s3.middlewareStack.add((next, context) => async (args) => {
        if (context.commandName === 'UploadPartCommand' && ++sent > 5) process.kill(process.pid, 'SIGKILL');
        return next(args);
      }, { step: 'initialize' });
      await objectStore('${Bucket}', s3, ${JSON.stringify(SIZES)}).upload('died', ${JSON.stringify(path)});
    `;
    const worker = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' });
    const [, signal] = await once(worker, 'exit');
    expect(signal).toBe('SIGKILL');
    expect(await store().find('died')).toBeUndefined();
    // The rule `unfinished-uploads` of the bucket removes it.
    expect(await unfinished('died')).toBe(1);

    await store().upload('died', path);
    expect((await store().read('died')).equals(content)).toBe(true);
    expect(await unfinished('died')).toBe(1);
  });
});
