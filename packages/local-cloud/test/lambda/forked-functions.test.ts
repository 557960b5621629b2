import { fork } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forkedFunctions } from '../../testing/forked-functions.ts';
import { startCloud, type TestCloud } from './support/cloud.ts';

const child = fork(join(import.meta.dirname, 'support/functions-process.ts'));
let cloud: TestCloud;

beforeAll(async () => {
  cloud = await startCloud({ host: forkedFunctions(new Set(['one', 'other', 'broken']), child) });
  for (const name of ['one', 'other', 'broken']) await cloud.create(name, 'export const handler = 1;');
  await cloud.create('in-process', 'export const handler = async () => process.pid;');
});
afterAll(() => cloud.close());

describe('functions that another process hosts', () => {
  it('share that process, and see their own variables and the time that they have left', async () => {
    const [one, other] = await Promise.all([cloud.call('one', { ms: 20 }), cloud.call('other', { ms: 10 })]);
    const shared = { pid: child.pid, leftMs: expect.toSatisfy((ms: number) => ms > 0 && ms <= 3000) };
    expect(one.answer).toMatchObject({ name: 'one', functionName: 'one', now: 'one', ...shared });
    expect(other.answer).toMatchObject({ name: 'other', functionName: 'other', now: 'other', ...shared });
  });

  it('serve one call at a time in each environment', async () => {
    const environments = await Promise.all(
      [300, 300].map(async (ms) => ((await cloud.call('one', { ms })).answer as { environment: number }).environment),
    );
    expect((await cloud.call('one')).answer).toMatchObject({ environment: expect.toBeOneOf(environments) });
  });

  it('write to their own logs', async () => {
    await Promise.all([cloud.call('one'), cloud.call('other')]);
    expect(cloud.logged.get('/aws/lambda/one')).toContainEqual(expect.stringContaining('one was called'));
    expect(cloud.logged.get('/aws/lambda/one')).not.toContainEqual(expect.stringContaining('other was called'));
  });

  it('answer errors as functions in processes do', async () => {
    expect(await cloud.call('one', { does: 'fail' })).toEqual({
      functionError: 'Unhandled',
      answer: { errorType: 'TypeError', errorMessage: 'it failed', trace: expect.any(Array) },
    });
    const { functionError, answer } = await cloud.call('broken');
    expect(functionError).toBe('Unhandled');
    expect(answer).toMatchObject({ errorType: 'SyntaxError', errorMessage: 'it cannot be loaded' });
  });

  it('are those of that process alone: all others run in processes of their own', async () => {
    const { answer } = await cloud.call('in-process');
    expect(answer).toEqual(expect.any(Number));
    expect([process.pid, child.pid]).not.toContain(answer);
  });

  it('fail when their process ends', async () => {
    const [ended, waiting] = await Promise.all([
      cloud.call('one', { does: 'end', ms: 50 }),
      cloud.call('other', { ms: 5000 }),
    ]);
    for (const { functionError, answer } of [ended, waiting]) {
      expect(functionError).toBe('Unhandled');
      expect(answer).toMatchObject({ errorMessage: 'The process of functions ended: 7' });
    }
    expect((await cloud.call('one')).functionError).toBe('Unhandled');
  });
});
