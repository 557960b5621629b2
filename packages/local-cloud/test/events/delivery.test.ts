import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../../core/access/principal.ts';
import { AwsError } from '../../core/aws-error.ts';
import { FUNCTION_ARN, gone, MACHINE_ARN, throttled } from './support/recording-targets.ts';
import { TestEvents } from './support/test-events.ts';

let test: TestEvents;
beforeEach(async () => {
  test = await TestEvents.start();
});
afterEach(() => test.close());

const PATTERN = { source: ['shop'] };

describe('an event', () => {
  it('reaches queue, function and state machine of every rule that it matches', async () => {
    const queue = await test.queue('orders');
    await test.rule('one', PATTERN, { Arn: queue }, { Arn: FUNCTION_ARN });
    await test.rule('two', { detail: { id: [7] } }, { Arn: MACHINE_ARN });
    await test.rule('none', { source: ['bank'] }, { Arn: FUNCTION_ARN });
    const id = await test.put({ id: 7 }, { Resources: ['arn:x'], Time: new Date('2026-02-03T04:05:06Z') });
    const event = {
      version: '0',
      id,
      'detail-type': 'order placed',
      source: 'shop',
      account: '000000000000',
      time: '2026-02-03T04:05:06Z',
      region: 'us-east-1',
      resources: ['arn:x'],
      detail: { id: 7 },
    };
    expect((await test.take(queue)).map(({ body }) => JSON.parse(body))).toEqual([event]);
    await test.targets.untilAttempts(2);
    const sourceArn = 'arn:aws:events:us-east-1:000000000000:rule/one';
    const caller = { type: 'service', service: 'events.amazonaws.com', sourceArn };
    expect(test.targets.invocations).toEqual([{ functionName: FUNCTION_ARN, payload: event, type: 'Event', caller }]);
    expect(test.targets.executions).toMatchObject([{ stateMachineArn: MACHINE_ARN, input: event }]);
  });

  it('published by another service reaches the rules', async () => {
    const queue = await test.queue('files');
    await test.rule('files', { source: ['aws.s3'], 'detail-type': ['Object Created'] }, { Arn: queue });
    await test.events.publish(
      [{ source: 'aws.s3', detailType: 'Object Created', detail: { object: { key: 'a.csv' } }, resources: ['arn:b'] }],
      ROOT,
    );
    const [message] = await test.take(queue);
    expect(JSON.parse(message?.body ?? '')).toMatchObject({
      source: 'aws.s3',
      time: '2026-01-01T00:00:00Z',
      resources: ['arn:b'],
      detail: { object: { key: 'a.csv' } },
    });
  });

  it('goes into the group that the target names', async () => {
    const queue = await test.queue('orders.fifo');
    await test.rule('orders', PATTERN, { Arn: queue, SqsParameters: { MessageGroupId: 'all' } });
    await test.put({});
    expect((await test.take(queue))[0]?.attributes).toMatchObject({ MessageGroupId: 'all' });
  });

  it('is delivered twice on demand, to a state machine under one name', async () => {
    const queue = await test.queue('orders');
    await test.rule('orders', PATTERN, { Arn: queue }, { Arn: MACHINE_ARN });
    test.front.faults.replace([{ service: 'events', operation: 'Deliver', effect: 'duplicate' }]);
    await test.put({});
    await test.targets.untilAttempts(2);
    const [first, second] = test.targets.executions;
    expect(first?.name).toBe(second?.name);
    expect(await test.waiting(queue)).toBe(2);
  });
});

describe('a state machine', () => {
  it('that already ran for the event is not started again', async () => {
    const deadLetters = await test.queue('dead');
    await test.rule('runs', PATTERN, { Arn: MACHINE_ARN, DeadLetterConfig: { Arn: deadLetters } });
    test.targets.failures.push(new AwsError('ExecutionAlreadyExists', 'Execution Already Exists'));
    await test.put({});
    await test.targets.untilAttempts(1);
    await test.clock.advance(3_600_000);
    expect(test.targets.attempts).toBe(1);
    expect(await test.waiting(deadLetters)).toBe(0);
  });
});

describe('the input of a target', () => {
  const DETAIL = { id: 7, name: 'a "b"', tags: ['x', 'y'], nested: { list: [{ key: 'first' }] } };
  const inputOf = async (input: object): Promise<string | undefined> => {
    const queue = await test.queue('inputs');
    await test.rule('inputs', PATTERN, { Arn: queue, ...input });
    await test.put(DETAIL);
    return (await test.take(queue))[0]?.body;
  };
  const template = (InputTemplate: string, InputPathsMap: Record<string, string> = {}) =>
    inputOf({ InputTransformer: { InputTemplate, InputPathsMap } });

  it('is a constant', async () => {
    expect(await inputOf({ Input: '{"fixed":true}' })).toBe('{"fixed":true}');
  });

  it.each([
    ['$.detail', DETAIL],
    ['$.detail-type', 'order placed'],
    ['$.detail.nested.list[0].key', 'first'],
    ["$.detail['tags']", ['x', 'y']],
  ])('is the part at %s', async (InputPath, part) => {
    expect(JSON.parse((await inputOf({ InputPath })) ?? '')).toEqual(part);
  });

  it('is a template with values as JSON, or unquoted within quotes', async () => {
    const paths = { id: '$.detail.id', name: '$.detail.name', tags: '$.detail.tags', none: '$.detail.none' };
    expect(await template('{"id":<id>,"name":<name>,"tags":<tags>,"none":<none>}', paths)).toBe(
      '{"id":7,"name":"a \\"b\\"","tags":["x","y"],"none":""}',
    );
  });

  it('is a text with lists and objects without their quotes', async () => {
    const paths = { tags: '$.detail.tags', nested: '$.detail.nested.list[0]', name: '$.detail.name' };
    expect(await template('"<name> has <tags> and <nested>"', paths)).toBe('"a \\"b\\" has [x,y] and {key:first}"');
  });

  it('may name the rule, the time and the event itself', async () => {
    const input = JSON.parse(
      (await template(
        '{"rule":"<aws.events.rule-name>","arn":<aws.events.rule-arn>,"at":"<aws.events.event.ingestion-time>","whole":<aws.events.event.json>,"head":<aws.events.event>}',
      )) ?? '',
    );
    expect(input).toMatchObject({
      rule: 'inputs',
      arn: 'arn:aws:events:us-east-1:000000000000:rule/inputs',
      at: '2026-01-01T00:00:00Z',
      whole: { detail: DETAIL, source: 'shop' },
      head: { detailType: 'order placed', source: 'shop' },
    });
    expect(input.head).not.toHaveProperty('detail');
  });
});

describe('a target that fails', () => {
  it('is retried with growing pauses until it accepts the event', async () => {
    await test.rule('orders', PATTERN, { Arn: FUNCTION_ARN });
    test.targets.failures.push(throttled(), new Error('broken pipe'));
    await test.put({ id: 1 });
    await test.targets.untilAttempts(1);
    await test.clock.advance(1_000);
    expect(test.targets.attempts).toBe(2);
    expect(test.targets.invocations).toEqual([]);
    await test.clock.advance(2_000);
    expect(test.targets.invocations).toMatchObject([{ payload: { detail: { id: 1 } } }]);
    await test.clock.advance(3_600_000);
    expect(test.targets.attempts).toBe(3);
  });

  it('is retried after a restart', async () => {
    await test.rule('orders', PATTERN, { Arn: FUNCTION_ARN });
    test.targets.failures.push(throttled());
    await test.put({ id: 1 });
    await test.targets.untilAttempts(1);
    await test.restart();
    await test.clock.advance(2_000);
    expect(test.targets.invocations).toMatchObject([{ payload: { detail: { id: 1 } } }]);
  });

  it('loses the event to the dead-letter queue when its retries are used up', async () => {
    const deadLetters = await test.queue('dead');
    await test.rule('orders', PATTERN, {
      Arn: FUNCTION_ARN,
      Input: '{}',
      RetryPolicy: { MaximumRetryAttempts: 1 },
      DeadLetterConfig: { Arn: deadLetters },
    });
    test.targets.failures.push(throttled(), throttled());
    await test.put({ id: 1 });
    await test.targets.untilAttempts(1);
    await test.clock.advance(1_000);
    const [dead] = await test.take(deadLetters);
    expect(JSON.parse(dead?.body ?? '')).toMatchObject({ source: 'shop', detail: { id: 1 } });
    expect(dead?.messageAttributes).toMatchObject({
      RULE_ARN: { StringValue: 'arn:aws:events:us-east-1:000000000000:rule/orders' },
      TARGET_ARN: { StringValue: FUNCTION_ARN },
      ERROR_CODE: { StringValue: 'TooManyRequestsException' },
      ERROR_MESSAGE: { StringValue: 'Rate Exceeded.' },
      RETRY_ATTEMPTS: { StringValue: '1' },
      EXHAUSTED_RETRY_CONDITION: { StringValue: 'MaximumRetryAttempts' },
    });
  });

  it('drops the event when it is too old', async () => {
    const deadLetters = await test.queue('dead');
    await test.rule('orders', PATTERN, {
      Arn: FUNCTION_ARN,
      RetryPolicy: { MaximumEventAgeInSeconds: 60 },
      DeadLetterConfig: { Arn: deadLetters },
    });
    test.targets.failures.push(
      ...Array.from({ length: 20 }, () => new AwsError('ServiceException', '', { status: 500 })),
    );
    await test.put({ id: 1 });
    await test.clock.advance(120_000);
    const [dead] = await test.take(deadLetters);
    expect(dead?.messageAttributes).toMatchObject({
      EXHAUSTED_RETRY_CONDITION: { StringValue: 'MaximumEventAgeInSeconds' },
    });
  });

  it('is not retried when it no longer exists', async () => {
    const deadLetters = await test.queue('dead');
    const lost = 'arn:aws:sqs:us-east-1:000000000000:lost';
    const DeadLetterConfig = { Arn: deadLetters };
    await test.rule('orders', PATTERN, { Arn: FUNCTION_ARN, DeadLetterConfig }, { Arn: lost, DeadLetterConfig });
    test.targets.failures.push(gone());
    await test.put({ id: 1 });
    const codes: unknown[] = [];
    while (codes.length < 2) {
      for (const { messageAttributes } of await test.take(deadLetters)) codes.push(messageAttributes.ERROR_CODE);
    }
    expect(codes).toEqual(
      expect.arrayContaining([
        { DataType: 'String', StringValue: 'ResourceNotFoundException' },
        { DataType: 'String', StringValue: 'QueueDoesNotExist' },
      ]),
    );
    expect(test.targets.attempts).toBe(1);
  });
});

describe('a scheduled rule', () => {
  it('fires at its rate, first one period after its creation', async () => {
    const queue = await test.queue('ticks');
    await test.scheduledRule('tick', 'rate(5 minutes)', { Arn: queue });
    await test.clock.advance(299_999);
    expect(await test.waiting(queue)).toBe(0);
    await test.clock.advance(1);
    expect(JSON.parse((await test.take(queue))[0]?.body ?? '')).toMatchObject({
      'detail-type': 'Scheduled Event',
      source: 'aws.events',
      time: '2026-01-01T00:05:00Z',
      resources: ['arn:aws:events:us-east-1:000000000000:rule/tick'],
      detail: {},
    });
    await test.clock.advance(300_000);
    expect(await test.waiting(queue)).toBe(1);
  });

  it('fires by cron in UTC, with its own input, and skips occurrences missed while the service was off', async () => {
    const queue = await test.queue('ticks');
    await test.scheduledRule('tick', 'cron(0/15 8 ? * THU-FRI *)', { Arn: queue, Input: '{"go":true}' });
    await test.clock.advance(8 * 3_600_000);
    expect((await test.take(queue)).map(({ body }) => body)).toEqual(['{"go":true}']);
    await test.stop();
    await test.clock.advance(20 * 60_000);
    await test.restart();
    expect(await test.waiting(queue)).toBe(0);
    await test.clock.advance(10 * 60_000);
    expect(await test.waiting(queue)).toBe(1);
  });
});

describe('the caller of a target', () => {
  it('is the role of the target if it has one, and otherwise the rule', async () => {
    const RoleArn = 'arn:aws:iam::000000000000:role/rules';
    await test.rule('orders', PATTERN, { Arn: FUNCTION_ARN, RoleArn });
    await test.put({});
    await test.targets.untilAttempts(1);
    expect(test.targets.invocations).toMatchObject([{ caller: { type: 'role', roleArn: RoleArn } }]);
  });
});
