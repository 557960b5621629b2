import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ManualClock } from '../../core/clock.ts';
import { type RunningS3, startS3 } from './start-s3.ts';

const Bucket = 'faulty';
const clock = new ManualClock();
let s3: RunningS3;
beforeAll(async () => {
  s3 = await startS3({ clock });
  await s3.client.send(new CreateBucketCommand({ Bucket }));
});
afterAll(() => s3[Symbol.asyncDispose]());

const put = (Key: string) => s3.client.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
const read = async (Key: string) => {
  const { Body } = await s3.client.send(new GetObjectCommand({ Bucket, Key }));
  return Body!.transformToString();
};

it.each([
  ['error', 'InternalError', 500],
  ['throttle', 'SlowDown', 503],
] as const)('%s answers %s and changes nothing', async (effect, name, httpStatusCode) => {
  s3.faults.replace([{ service: 's3', operation: 'PutObject', resource: `${Bucket}/${effect}`, effect, times: 1 }]);
  await expect(put(effect)).rejects.toMatchObject({ name, $metadata: { httpStatusCode } });
  await expect(read(effect)).rejects.toMatchObject({ name: 'NoSuchKey' });
  await put(effect);
  expect(await read(effect)).toBe(effect);
});

it('lostAnswer makes the change and answers an error', async () => {
  s3.faults.replace([{ service: 's3', operation: 'PutObject', effect: 'lostAnswer', times: 1 }]);
  await expect(put('lost')).rejects.toMatchObject({ name: 'InternalError' });
  expect(await read('lost')).toBe('lost');
});

it('delay answers after its time', async () => {
  await put('slow');
  const delayed = new Promise<void>((resolve) => {
    const schedule = clock.schedule.bind(clock);
    clock.schedule = (at, callback) => {
      clock.schedule = schedule;
      resolve();
      return schedule(at, callback);
    };
  });
  s3.faults.replace([{ service: 's3', operation: 'GetObject', effect: 'delay', delayMs: 5000, times: 1 }]);
  let answered = false;
  const reading = read('slow').then((text) => {
    answered = true;
    return text;
  });
  await delayed;
  await clock.advance(4999);
  expect(answered).toBe(false);
  await clock.advance(1);
  expect(await reading).toBe('slow');
});
