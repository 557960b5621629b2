import { GetScheduleCommand, UpdateScheduleCommand } from '@aws-sdk/client-scheduler';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../core/clock.ts';
import { FUNCTION_ARN, gone, MACHINE_ARN, throttled } from '../events/support/recording-targets.ts';
import { ROLE, TestScheduler } from './support/test-scheduler.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let test: TestScheduler;
let queue: string;
beforeEach(async () => {
  test = await TestScheduler.start();
  queue = await test.queue('fired');
});
afterEach(() => test.close());

const exists = async () => {
  const found = test.client.send(new GetScheduleCommand({ Name: 'tick' }));
  return found.then(
    () => true,
    (error) => {
      expect(error.name).toBe('ResourceNotFoundException');
      return false;
    },
  );
};
const update = (ScheduleExpression: string, State: 'ENABLED' | 'DISABLED' = 'ENABLED') =>
  test.client.send(
    new UpdateScheduleCommand({
      Name: 'tick',
      ScheduleExpression,
      State,
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: { Arn: queue, RoleArn: ROLE, Input: '"<aws.scheduler.scheduled-time>"' },
    }),
  );

describe('a rate', () => {
  it('starts at once and then keeps its pace', async () => {
    await test.create('rate(10 minutes)', queue);
    await test.clock.advance(25 * MINUTE);
    expect(await test.inputs(queue)).toEqual(['2026-01-01T00:00:00Z', '2026-01-01T00:10:00Z', '2026-01-01T00:20:00Z']);
  });

  it('starts at its start date and ends at its end date', async () => {
    await test.create('rate(10 minutes)', queue, {
      StartDate: new Date('2026-01-01T01:05:00Z'),
      EndDate: new Date('2026-01-01T01:20:00Z'),
    });
    await test.clock.advance(2 * HOUR);
    expect(await test.inputs(queue)).toEqual(['2026-01-01T01:05:00Z', '2026-01-01T01:15:00Z']);
  });

  it('keeps its pace after a restart, without missed occurrences, and after an unchanged update', async () => {
    await test.create('rate(10 minutes)', queue);
    await test.clock.advance(1);
    await test.stop();
    await test.clock.advance(24 * MINUTE);
    await test.open();
    await update('rate(10 minutes)');
    await test.clock.advance(10 * MINUTE);
    expect(await test.inputs(queue)).toEqual(['2026-01-01T00:00:00Z', '2026-01-01T00:30:00Z']);
  });
});

describe('a cron schedule', () => {
  it('fires in its time zone', async () => {
    await test.create('cron(0 9 * * ? *)', queue, { ScheduleExpressionTimezone: 'Asia/Tokyo' });
    await test.clock.advance(30 * HOUR);
    expect(await test.inputs(queue)).toEqual(['2026-01-02T00:00:00Z']);
  });

  it('does not fire while disabled', async () => {
    await test.create('cron(0 * * * ? *)', queue, { State: 'DISABLED' });
    await test.clock.advance(2 * HOUR);
    await update('cron(0 * * * ? *)');
    await test.clock.advance(HOUR);
    await update('cron(0 * * * ? *)', 'DISABLED');
    await test.clock.advance(2 * HOUR);
    expect(await test.inputs(queue)).toEqual(['2026-01-01T03:00:00Z']);
  });
});

describe('a timer that fires slightly early', () => {
  class EarlyClock extends ManualClock {
    override schedule(at: number, callback: () => void): () => void {
      return super.schedule(at - 1, callback);
    }
  }

  it.each([
    ['rate(1 minute)', ['2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z', '2026-01-01T00:02:00Z']],
    ['cron(* * * * ? *)', ['2026-01-01T00:01:00Z', '2026-01-01T00:02:00Z']],
  ])('does not make %s fire twice', async (expression, instants) => {
    await test.close();
    test = await TestScheduler.start(new EarlyClock());
    await test.create(expression, await test.queue('fired'));
    await test.clock.advance(2 * MINUTE);
    expect(await test.inputs(queue)).toEqual(instants);
  });
});

describe('a one-time schedule', () => {
  it('fires once, despite a restart and an update without changes', async () => {
    await test.create('at(2026-01-01T00:30:00)', queue);
    await test.clock.advance(HOUR);
    await test.stop();
    await test.open();
    await update('at(2026-01-01T00:30:00)');
    await test.clock.advance(HOUR);
    expect(await test.inputs(queue)).toEqual(['2026-01-01T00:30:00Z']);
    expect(await exists()).toBe(true);
  });

  it('that fell due while the service was off fires at the next start', async () => {
    await test.create('at(2026-01-01T00:30:00)', queue);
    await test.stop();
    await test.clock.advance(HOUR);
    await test.open();
    await test.clock.advance(1);
    expect(await test.inputs(queue)).toEqual(['2026-01-01T00:30:00Z']);
  });

  it('fires again when its time is changed', async () => {
    await test.create('at(2026-01-01T00:30:00)', queue);
    await test.clock.advance(HOUR);
    await update('at(2026-01-01T02:00:00)');
    await test.clock.advance(2 * HOUR);
    expect(await test.inputs(queue)).toEqual(['2026-01-01T00:30:00Z', '2026-01-01T02:00:00Z']);
  });
});

describe('a schedule that deletes itself', () => {
  it('is deleted after it has fired for the last time', async () => {
    await test.create('at(2026-01-01T00:30:00)', queue, { ActionAfterCompletion: 'DELETE' });
    expect(await exists()).toBe(true);
    await test.clock.advance(HOUR);
    expect(await exists()).toBe(false);
    expect(await test.inputs(queue)).toEqual(['2026-01-01T00:30:00Z']);
  });

  it('is deleted after its end when nothing more is due', async () => {
    await test.create('cron(0 12 * * ? *)', queue, {
      ActionAfterCompletion: 'DELETE',
      EndDate: new Date('2026-01-01T06:00:00Z'),
    });
    await test.clock.advance(5 * HOUR);
    expect(await exists()).toBe(true);
    await test.clock.advance(2 * HOUR);
    expect(await exists()).toBe(false);
    expect(await test.inputs(queue)).toEqual([]);
  });
});

describe('a flexible window', () => {
  it('delivers within it, despite a restart', async () => {
    await test.create('cron(0 1 * * ? *)', queue, {
      FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 20 },
    });
    await test.clock.advance(HOUR + 5 * MINUTE);
    expect(await test.inputs(queue)).toEqual([]);
    await test.stop();
    await test.open();
    // The test's random number is one half.
    await test.clock.advance(5 * MINUTE);
    expect(await test.inputs(queue)).toEqual(['2026-01-01T01:00:00Z']);
  });
});

describe('a target', () => {
  const target = (Arn: string, more: object = {}) => ({ Target: { Arn, RoleArn: ROLE, ...more } });

  it('gets the scheduled event when no input is given', async () => {
    const arn = await test.create('at(2026-01-01T00:30:00)', FUNCTION_ARN, target(FUNCTION_ARN));
    await test.clock.advance(HOUR);
    expect(test.targets.invocations).toEqual([
      {
        functionName: FUNCTION_ARN,
        type: 'Event',
        caller: expect.objectContaining({ type: 'role', roleArn: ROLE }),
        payload: {
          version: '0',
          id: expect.any(String),
          'detail-type': 'Scheduled Event',
          source: 'aws.scheduler',
          account: '000000000000',
          time: '2026-01-01T00:30:00Z',
          region: 'us-east-1',
          resources: [arn],
          detail: '{}',
        },
      },
    ]);
  });

  it('gets the context of the firing if its input refers to it', async () => {
    const Input =
      '{"arn":"<aws.scheduler.schedule-arn>","at":"<aws.scheduler.scheduled-time>","id":"<aws.scheduler.execution-id>","try":<aws.scheduler.attempt-number>}';
    const arn = await test.create('at(2026-01-01T00:30:00)', MACHINE_ARN, target(MACHINE_ARN, { Input }));
    test.targets.failures.push(throttled());
    await test.clock.advance(HOUR);
    const [execution] = test.targets.executions;
    expect(execution?.input).toEqual({ arn, at: '2026-01-01T00:30:00Z', id: execution?.name, try: 2 });
  });

  it('may be the default event bus', async () => {
    const bus = 'arn:aws:events:us-east-1:000000000000:event-bus/default';
    const EventBridgeParameters = { Source: 'clock', DetailType: 'tick' };
    await test.create('at(2026-01-01T00:30:00)', bus, target(bus, { EventBridgeParameters, Input: '{"a":1}' }));
    await test.clock.advance(HOUR);
    expect(test.published).toEqual([{ source: 'clock', detailType: 'tick', detail: { a: 1 } }]);
  });

  it('that no longer exists loses the firing to the dead-letter queue', async () => {
    const deadLetters = await test.queue('dead');
    const arn = await test.create(
      'at(2026-01-01T00:30:00)',
      FUNCTION_ARN,
      target(FUNCTION_ARN, { Input: '{"a":1}', DeadLetterConfig: { Arn: deadLetters } }),
    );
    test.targets.failures.push(gone());
    await test.clock.advance(HOUR);
    const [dead] = await test.take(deadLetters);
    expect(dead?.body).toBe('{"a":1}');
    expect(dead?.messageAttributes).toMatchObject({
      SCHEDULE_ARN: { StringValue: arn },
      TARGET_ARN: { StringValue: FUNCTION_ARN },
      SCHEDULED_TIME: { StringValue: '2026-01-01T00:30:00Z' },
      ERROR_CODE: { StringValue: 'ResourceNotFoundException' },
      RETRY_ATTEMPTS: { StringValue: '0' },
    });
    expect(test.targets.attempts).toBe(1);
  });

  it('that failed is retried after a restart', async () => {
    await test.create('at(2026-01-01T00:30:00)', FUNCTION_ARN);
    test.targets.failures.push(throttled());
    await test.clock.advance(30 * MINUTE);
    await test.targets.untilAttempts(1);
    await test.stop();
    await test.open();
    await test.clock.advance(2_000);
    expect(test.targets.invocations).toMatchObject([{ payload: '2026-01-01T00:30:00Z' }]);
  });
});
