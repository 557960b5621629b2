import { InvokeCommand, PutFunctionEventInvokeConfigCommand } from '@aws-sdk/client-lambda';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../core/clock.ts';
import { startCloud, type TestCloud } from './support/cloud.ts';
import { eventually } from './support/eventually.ts';

let clock: ManualClock;
let cloud: TestCloud;
beforeEach(async () => {
  clock = new ManualClock();
  cloud = await startCloud({ clock });
});
afterEach(() => cloud.close());

const FAILING = `export const handler = async (event) => { console.log('CALL'); throw new Error('no ' + event.id); };`;

async function send(FunctionName: string, event: unknown): Promise<number | undefined> {
  const command = new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload: JSON.stringify(event) });
  return (await cloud.client.send(command)).StatusCode;
}

/** Number of times a function has finished. */
const reports = (name: string) =>
  (cloud.logged.get(`/aws/lambda/${name}`) ?? []).filter((line) => line.startsWith('REPORT')).length;
const untilReports = (name: string, count: number) => eventually(() => reports(name)).toBe(count);

describe('an asynchronous event', () => {
  it('is accepted before the function runs, and its success is sent to its destination', async () => {
    const done = cloud.queues.create('done');
    await cloud.create('working', 'export const handler = async (event) => ({ saw: event.id });');
    await cloud.client.send(
      new PutFunctionEventInvokeConfigCommand({
        FunctionName: 'working',
        DestinationConfig: { OnSuccess: { Destination: done } },
      }),
    );
    expect(await send('working', { id: 7 })).toBe(202);
    const [body] = await cloud.queues.untilSize(done, 1);
    expect(JSON.parse(body as string)).toEqual({
      version: '1.0',
      timestamp: expect.stringMatching(/Z$/),
      requestContext: {
        requestId: expect.any(String),
        functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:working:$LATEST',
        condition: 'Success',
        approximateInvokeCount: 1,
      },
      requestPayload: { id: 7 },
      responseContext: { statusCode: 200, executedVersion: '$LATEST' },
      responsePayload: { saw: 7 },
    });
  });

  it('is retried after one and after two minutes, then given up to its destination', async () => {
    const dead = cloud.queues.create('dead');
    await cloud.create('failing', FAILING);
    await cloud.client.send(
      new PutFunctionEventInvokeConfigCommand({
        FunctionName: 'failing',
        DestinationConfig: { OnFailure: { Destination: dead } },
      }),
    );
    await send('failing', { id: 1 });
    await untilReports('failing', 1);
    await clock.advance(59_000);
    expect(reports('failing')).toBe(1);
    await clock.advance(1_000);
    await untilReports('failing', 2);
    await clock.advance(119_000);
    expect(reports('failing')).toBe(2);
    await clock.advance(1_000);
    const [body] = await cloud.queues.untilSize(dead, 1);
    expect(JSON.parse(body as string)).toMatchObject({
      requestContext: { condition: 'RetriesExhausted', approximateInvokeCount: 3 },
      requestPayload: { id: 1 },
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
      responsePayload: { errorType: 'Error', errorMessage: 'no 1' },
    });
    expect(reports('failing')).toBe(3);
  });

  it('is dropped when it is too old', async () => {
    const dead = cloud.queues.create('aged');
    await cloud.create('aged', FAILING);
    await cloud.client.send(
      new PutFunctionEventInvokeConfigCommand({
        FunctionName: 'aged',
        MaximumEventAgeInSeconds: 90,
        DestinationConfig: { OnFailure: { Destination: dead } },
      }),
    );
    await send('aged', { id: 2 });
    await untilReports('aged', 1);
    await clock.advance(60_000);
    const [body] = await cloud.queues.untilSize(dead, 1);
    expect(JSON.parse(body as string)).toMatchObject({
      requestContext: { condition: 'EventAgeExceeded', approximateInvokeCount: 2 },
    });
  });

  it('can have another function as destination', async () => {
    await cloud.create('next', `export const handler = async (event) => console.log('NEXT ' + event.responsePayload);`);
    await cloud.create('first', `export const handler = async () => 'passed on';`);
    const Destination = 'arn:aws:lambda:us-east-1:000000000000:function:next';
    await cloud.client.send(
      new PutFunctionEventInvokeConfigCommand({
        FunctionName: 'first',
        DestinationConfig: { OnSuccess: { Destination } },
      }),
    );
    await send('first', {});
    await eventually(() => cloud.logged.get('/aws/lambda/next')?.some((line) => line.endsWith('NEXT passed on'))).toBe(
      true,
    );
  });

  it('survives a restart while it waits for its retry', async () => {
    await cloud.create('patient', FAILING);
    await send('patient', { id: 3 });
    await untilReports('patient', 1);
    await cloud.restart();
    await clock.advance(60_000);
    await untilReports('patient', 2);
  });

  it('runs once after a throttle and twice when a fault duplicates it', async () => {
    await cloud.create('flawed', 'export const handler = async () => null;');
    cloud.faults.replace([{ effect: 'throttle', service: 'lambda', operation: 'Invoke', times: 1 }]);
    await send('flawed', {});
    await clock.advance(1_000);
    await untilReports('flawed', 1);
    cloud.faults.replace([{ effect: 'duplicate', service: 'lambda', operation: 'Event', times: 1 }]);
    await send('flawed', {});
    await untilReports('flawed', 3);
  });

  it('above 1 MB is rejected', async () => {
    await cloud.create('small', 'export const handler = async () => null;');
    await expect(send('small', 'x'.repeat(1024 * 1024))).rejects.toMatchObject({
      name: 'RequestEntityTooLargeException',
    });
  });
});
