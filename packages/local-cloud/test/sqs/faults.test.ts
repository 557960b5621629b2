import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../../core/access/principal.ts';
import { TestQueues } from './support/test-queues.ts';

let queues: TestQueues;
beforeEach(async () => {
  queues = await TestQueues.start();
});
afterEach(() => queues.close());

describe('the fault switch of SQS', () => {
  it('throttles one queue and leaves others alone', async () => {
    const orders = await queues.create('orders');
    const others = await queues.create('other');
    queues.front.faults.replace([{ service: 'sqs', operation: 'SendMessage', resource: 'orders', effect: 'throttle' }]);
    await expect(queues.send(orders, 'x')).rejects.toMatchObject({
      name: 'RequestThrottled',
      $metadata: { httpStatusCode: 403 },
    });
    await queues.send(others, 'fine');
    expect(await queues.counts(orders)).toEqual([0, 0, 0]);
  });

  it('fails without effect, or with it when only the answer is lost', async () => {
    const url = await queues.create('orders');
    queues.front.faults.replace([
      { service: 'sqs', operation: 'SendMessage', effect: 'error', times: 1 },
      { service: 'sqs', operation: 'SendMessage', effect: 'lostAnswer', times: 1 },
    ]);
    await expect(queues.send(url, 'never')).rejects.toMatchObject({ $metadata: { httpStatusCode: 500 } });
    await expect(queues.send(url, 'stored')).rejects.toMatchObject({ $metadata: { httpStatusCode: 500 } });
    expect(await queues.bodies(url)).toEqual(['stored']);
  });

  it('delivers a message twice, even after the first delivery was deleted', async () => {
    await queues.create('orders');
    const queueArn = queues.arn('orders');
    queues.front.faults.replace([{ service: 'sqs', operation: 'ReceiveMessage', effect: 'duplicate' }]);
    const { messageId } = await queues.sqs.send({ caller: ROOT, queueArn, body: 'once' });
    const [first, ...more] = await queues.sqs.receive({ caller: ROOT, queueArn, max: 10, waitMs: 0 });
    expect(more).toEqual([]);
    await queues.sqs.delete({ caller: ROOT, queueArn, receiptHandle: first?.receiptHandle ?? '' });
    const [second] = await queues.sqs.receive({ caller: ROOT, queueArn, max: 10, waitMs: 0 });
    expect(second).toMatchObject({ messageId, body: 'once', attributes: { ApproximateReceiveCount: '2' } });
    await queues.sqs.delete({ caller: ROOT, queueArn, receiptHandle: second?.receiptHandle ?? '' });
    expect(await queues.sqs.receive({ caller: ROOT, queueArn, max: 10, waitMs: 0 })).toEqual([]);
  });

  it('answers late', async () => {
    const url = await queues.create('orders');
    queues.front.faults.replace([
      { service: 'sqs', operation: 'SendMessage', effect: 'delay', delayMs: 5_000, times: 1 },
    ]);
    const late = queues.send(url, 'late');
    expect(await queues.counts(url)).toEqual([0, 0, 0]);
    await queues.clock.advance(5_000);
    await late;
    expect(await queues.bodies(url)).toEqual(['late']);
  });
});
