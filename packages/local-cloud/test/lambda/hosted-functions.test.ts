import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostedFunctions } from '../../testing/hosted-functions.ts';
import { startCloud, type TestCloud } from './support/cloud.ts';

let imports = 0;

/** Stands for the module of a handler, which is evaluated anew for each environment. */
async function importHandler(environment: number) {
  imports += 1;
  const name = process.env.AWS_LAMBDA_FUNCTION_NAME;
  return async (event: unknown, context: object) => {
    const { ms, fails } = event as { ms?: number; fails?: boolean };
    await new Promise((done) => setTimeout(done, ms ?? 0));
    process.stdout.write(`${name} was called\n`);
    if (fails) throw new TypeError('it failed');
    const { functionName } = context as { functionName: string };
    return { environment, name, functionName, now: process.env.AWS_LAMBDA_FUNCTION_NAME, own: process.env.OWN ?? null };
  };
}

let cloud: TestCloud;
const [environmentOfProcess, streams] = [process.env, [process.stdout.write, process.stderr.write] as const];
beforeAll(async () => {
  const host = hostedFunctions(new Map(['one', 'other', 'slow'].map((name) => [name, importHandler])));
  cloud = await startCloud({ host });
  const variables = { Environment: { Variables: { OWN: 'of one' } } };
  await cloud.create('one', 'export const handler = 1;', variables);
  await cloud.create('other', 'export const handler = 1;');
  await cloud.create('slow', 'export const handler = 1;', { Timeout: 1 });
  await cloud.create('in-process', 'export const handler = async () => process.pid;');
});
afterAll(async () => {
  await cloud.close();
  process.env = environmentOfProcess;
  [process.stdout.write, process.stderr.write] = streams;
});

describe('functions that the process of the local cloud hosts', () => {
  it('see the variables of their own function, beside others that run at the same time', async () => {
    const [one, other] = await Promise.all([cloud.call('one', { ms: 20 }), cloud.call('other', { ms: 10 })]);
    expect(one.answer).toMatchObject({ name: 'one', functionName: 'one', now: 'one', own: 'of one' });
    expect(other.answer).toMatchObject({ name: 'other', functionName: 'other', now: 'other', own: null });
    expect(process.env.AWS_LAMBDA_FUNCTION_NAME).toBeUndefined();
    expect(process.env.PATH).toBeDefined();
  });

  it('write to their own logs', async () => {
    await Promise.all([cloud.call('one'), cloud.call('other')]);
    expect(cloud.logged.get('/aws/lambda/one')).toContainEqual(expect.stringContaining('one was called'));
    expect(cloud.logged.get('/aws/lambda/one')).not.toContainEqual(expect.stringContaining('other was called'));
  });

  it('serve one call at a time in each environment, which is used again', async () => {
    const before = imports;
    const environmentOf = async (ms: number) =>
      ((await cloud.call('other', { ms })).answer as { environment: number }).environment;
    const [slow, quick] = await Promise.all([environmentOf(1000), environmentOf(0)]);
    expect(await environmentOf(0)).toBeOneOf([slow, quick]);
    expect(imports - before).toBeLessThanOrEqual(2);
  });

  it('answer errors as functions in processes do', async () => {
    expect(await cloud.call('one', { fails: true })).toEqual({
      functionError: 'Unhandled',
      answer: { errorType: 'TypeError', errorMessage: 'it failed', trace: expect.any(Array) },
    });
  });

  it('end their calls at the timeout', async () => {
    const { functionError, answer } = await cloud.call('slow', { ms: 3000 });
    expect(functionError).toBe('Unhandled');
    expect(answer).toMatchObject({ errorMessage: expect.stringContaining('timed out after 1.00 seconds') });
    expect((await cloud.call('slow')).functionError).toBeUndefined();
  });

  it('are those of the host alone: all others run in processes', async () => {
    const { answer } = await cloud.call('in-process');
    expect(answer).toEqual(expect.any(Number));
    expect(answer).not.toBe(process.pid);
  });
});
