import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LocalCloud } from '../../../../packages/local-cloud/index.ts';
import { ObjectCache } from '../../../../shared/platform/objects/object-cache.ts';
import { ObjectMissing } from '../../../../shared/platform/objects/object-missing.ts';
import { objectStore } from '../../../../shared/platform/objects/object-store.ts';
import { LOCAL_ACCESS } from '../../../support/local-table.ts';
import { openWebService } from '../../../support/web-service.ts';

const root = mkdtempSync(join(tmpdir(), 'object-cache-'));
let cloud: LocalCloud;
let s3: S3Client;
let folder: string;

beforeAll(async () => {
  cloud = await LocalCloud.open({ dataDir: join(root, 'cloud'), port: 0 });
  s3 = new S3Client({ endpoint: cloud.endpoint, forcePathStyle: true, ...LOCAL_ACCESS });
  await s3.send(new CreateBucketCommand({ Bucket: 'data' }));
  for (const key of ['a', 'b', 'c']) await put(key, key.repeat(100));
});
afterAll(async () => {
  await cloud.close();
  rmSync(root, { recursive: true, force: true });
});
beforeEach(() => {
  folder = mkdtempSync(join(root, 'copies-'));
});

const put = async (Key: string, Body: string | Buffer) =>
  (await s3.send(new PutObjectCommand({ Bucket: 'data', Key, Body }))).ETag!;
const openCache = (maxBytes: number) => new ObjectCache({ s3, bucket: 'data', folder, maxBytes });
const readAll = (paths: string[]) => paths.map((path) => readFileSync(path, 'utf8')[0]);

describe('the object cache', () => {
  it('keeps what is fetched together, even without room for it, and then drops the oldest', async () => {
    const cache = openCache(150);
    const paths = await cache.fetchAll([{ key: 'a' }, { key: 'b' }, { key: 'a' }]);
    expect(readAll(paths)).toEqual(['a', 'b', 'a']);
    const third = await cache.fetch({ key: 'c' });
    expect([...paths, third].map((path) => existsSync(path))).toEqual([false, false, false, true]);
    expect(readAll(await cache.fetchAll([{ key: 'b' }]))).toEqual(['b']);
  });

  it('keeps a file that is nowhere else until it is dropped', async () => {
    const cache = openCache(150);
    await cache.fetch({ key: 'a' });
    const own = join(root, 'own');
    writeFileSync(own, 'o'.repeat(140));
    await cache.keep({ key: 'nowhere' }, own);
    const [path] = await cache.fetchAll([{ key: 'nowhere' }]);
    await cache.fetch({ key: 'b' });
    await cache.fetch({ key: 'c' });
    expect(readAll([path!])).toEqual(['o']);
    await cache.drop({ key: 'nowhere' });
    expect(existsSync(path!)).toBe(false);
    await expect(cache.fetch({ key: 'nowhere' })).rejects.toThrow(ObjectMissing);
  });

  it('gives exactly the content that was asked for, or none', async () => {
    const cache = openCache(1000);
    const old = await put('moving', 'old');
    expect(readAll([await cache.fetch({ key: 'moving', etag: old })])).toEqual(['o']);
    const now = await put('moving', 'new');
    expect(readAll([await cache.fetch({ key: 'moving', etag: now })])).toEqual(['n']);
    await expect(openCache(1000).fetch({ key: 'moving', etag: old })).rejects.toThrow(ObjectMissing);
    await expect(cache.fetch({ key: 'nothing' })).rejects.toThrow(ObjectMissing);
  });

  it('brings a large object in ranges, all of one content', async () => {
    const content = randomBytes(65 * 1024 * 1024);
    const etag = await put('large', content);
    const whole = { key: 'large', sizeBytes: content.length };
    const path = await openCache(1e9).fetch({ ...whole, etag });
    expect(readFileSync(path).equals(content)).toBe(true);
    rmSync(path);
    const others = [
      { ...whole, etag: '"0123456789abcdef0123456789abcdef"' },
      { ...whole, sizeBytes: content.length - 1 },
      { ...whole, sizeBytes: content.length + 1 },
      { key: 'a', sizeBytes: content.length },
      { key: 'nothing', sizeBytes: content.length },
    ];
    for (const ref of others) await expect(openCache(1e9).fetch(ref)).rejects.toThrow(ObjectMissing);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves nothing of a large object that is replaced while it comes', async () => {
    const content = Buffer.alloc(34 * 1024 * 1024, 'old');
    await put('replaced', content);
    let asked = 0;
    const replace = (next: (args: never) => Promise<never>) => async (args: never) => {
      asked += 1;
      if (asked === 2) await put('replaced', 'new');
      return next(args);
    };
    s3.middlewareStack.add(replace as never, { step: 'initialize', name: 'replace' });
    const fetched = openCache(1e9).fetch({ key: 'replaced', sizeBytes: content.length });
    await expect(fetched).rejects.toThrow(ObjectMissing);
    s3.middlewareStack.remove('replace');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('clears what a process before it left behind', async () => {
    mkdirSync(folder, { recursive: true });
    const left = join(folder, 'left.partial');
    writeFileSync(left, 'x');
    await openCache(1000).fetch({ key: 'a' });
    expect(existsSync(left)).toBe(false);
  });
});

/** A bucket whose objects begin to come and never end. */
async function stuckBucket() {
  const asked = Promise.withResolvers<void>();
  const { url } = await openWebService((_url, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('x');
    response.once('close', closed.resolve);
    asked.resolve();
  });
  const closed = Promise.withResolvers<void>();
  return { stuck: new S3Client({ endpoint: url, forcePathStyle: true, ...LOCAL_ACCESS }), asked, closed };
}

describe('what is only wanted for a while', () => {
  it('is awaited up to a limit; a download continues while another caller waits', async () => {
    const { stuck, asked, closed } = await stuckBucket();
    const cache = new ObjectCache({ s3: stuck, bucket: 'data', folder, maxBytes: 1000 });
    const [first, second] = [new AbortController(), new AbortController()];
    const ofFirst = cache.within(first.signal).fetch({ key: 'a' });
    const ofSecond = cache.within(second.signal).fetch({ key: 'a' });
    await asked.promise;
    first.abort(new Error('first'));
    await expect(ofFirst).rejects.toThrow('first');
    const isClosed = await Promise.race([closed.promise.then(() => true), setImmediate(false)]);
    expect(isClosed).toBe(false);
    second.abort(new Error('second'));
    await expect(ofSecond).rejects.toThrow();
    await closed.promise;
  });

  it('is downloaded again for a caller that comes just after the last waiting one has left', async () => {
    const asked = Promise.withResolvers<void>();
    let requests = 0;
    const { url } = await openWebService((_url, response) => {
      requests += 1;
      if (requests > 1) return void response.writeHead(200, { 'content-length': '2' }).end('ok');
      response.writeHead(200, { 'content-length': '100' }).write('x');
      asked.resolve();
    });
    const slow = new S3Client({ endpoint: url, forcePathStyle: true, ...LOCAL_ACCESS });
    const cache = new ObjectCache({ s3: slow, bucket: 'data', folder, maxBytes: 1000 });
    const [first, second] = [new AbortController(), new AbortController()];
    const ofFirst = cache.within(first.signal).fetch({ key: 'a' });
    await asked.promise;
    first.abort(new Error('first'));
    const ofSecond = cache.within(second.signal).fetch({ key: 'a' });
    await expect(ofFirst).rejects.toThrow();
    const path = await ofSecond;
    expect(readFileSync(path, 'utf8')).toBe('ok');
    expect(await cache.fetch({ key: 'a' })).toBe(path);
    expect(requests).toBe(2);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('ends reading and uploading too', async () => {
    const { stuck, asked, closed } = await stuckBucket();
    const end = new AbortController();
    const store = objectStore('data', stuck).within(end.signal);
    const read = store.read('a');
    await asked.promise;
    end.abort();
    await expect(read).rejects.toThrow();
    await closed.promise;
    const file = join(folder, 'file');
    writeFileSync(file, 'x');
    await expect(store.upload('b', file)).rejects.toThrow();
  });
});
