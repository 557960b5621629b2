import {
  CreateEventBusCommand,
  DeleteRuleCommand,
  DescribeRuleCommand,
  DisableRuleCommand,
  EnableRuleCommand,
  ListRulesCommand,
  ListTargetsByRuleCommand,
  PutEventsCommand,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FUNCTION_ARN } from './support/recording-targets.ts';
import { TestEvents } from './support/test-events.ts';

let test: TestEvents;
beforeEach(async () => {
  test = await TestEvents.start();
});
afterEach(() => test.close());

const Arn = 'arn:aws:events:us-east-1:000000000000:rule/orders';
const list = async () => (await test.client.send(new ListRulesCommand({}))).Rules ?? [];

describe('a rule', () => {
  it('is described as given, and replaced without losing its targets', async () => {
    await test.rule('orders', { source: ['shop'] }, { Id: 'fn', Arn: FUNCTION_ARN });
    const put = {
      Name: 'orders',
      EventPattern: '{"source":["bank"]}',
      Description: 'Orders',
      State: 'DISABLED',
    } as const;
    expect(await test.client.send(new PutRuleCommand(put))).toMatchObject({ RuleArn: Arn });
    expect(await test.client.send(new DescribeRuleCommand({ Name: 'orders' }))).toMatchObject({
      ...put,
      Arn,
      EventBusName: 'default',
    });
    const targets = await test.client.send(new ListTargetsByRuleCommand({ Rule: 'orders' }));
    expect(targets.Targets).toEqual([{ Id: 'fn', Arn: FUNCTION_ARN }]);
  });

  it('survives a restart with its targets', async () => {
    const queue = await test.queue('orders');
    await test.rule('orders', { source: ['shop'] }, { Arn: queue });
    await test.restart();
    await test.put({ id: 7 });
    expect(JSON.parse((await test.take(queue))[0]?.body ?? '')).toMatchObject({ detail: { id: 7 } });
  });

  it('is listed by prefix and page', async () => {
    for (const name of ['a-1', 'a-2', 'a-3', 'b']) await test.rule(name, { source: ['x'] });
    const first = await test.client.send(new ListRulesCommand({ NamePrefix: 'a-', Limit: 2 }));
    const second = await test.client.send(
      new ListRulesCommand({ NamePrefix: 'a-', Limit: 2, NextToken: first.NextToken }),
    );
    expect([first, second].map((page) => page.Rules?.map(({ Name }) => Name))).toEqual([['a-1', 'a-2'], ['a-3']]);
  });

  it('is deleted only when its targets are removed', async () => {
    await test.rule('orders', { source: ['shop'] }, { Id: 'fn', Arn: FUNCTION_ARN });
    const remove = () => test.client.send(new DeleteRuleCommand({ Name: 'orders' }));
    await expect(remove()).rejects.toMatchObject({
      name: 'ValidationException',
      message: "Rule can't be deleted since it has targets.",
    });
    await test.client.send(new RemoveTargetsCommand({ Rule: 'orders', Ids: ['fn'] }));
    await remove();
    await remove();
    await expect(test.client.send(new DescribeRuleCommand({ Name: 'orders' }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: 'Rule orders does not exist on EventBus default.',
    });
  });

  it('delivers nothing while disabled', async () => {
    const queue = await test.queue('orders');
    await test.rule('orders', { source: ['shop'] }, { Arn: queue });
    await test.client.send(new DisableRuleCommand({ Name: 'orders' }));
    await test.put({ id: 1 });
    await test.client.send(new EnableRuleCommand({ Name: 'orders' }));
    await test.put({ id: 2 });
    expect((await test.take(queue)).map(({ body }) => JSON.parse(body).detail)).toEqual([{ id: 2 }]);
  });

  it.each([
    ['neither pattern nor schedule', {}, 'ValidationException'],
    ['a bad pattern', { EventPattern: '{"a":1}' }, 'InvalidEventPatternException'],
    ['a rate in seconds', { ScheduleExpression: 'rate(10 seconds)' }, 'ValidationException'],
    ['number and unit that disagree', { ScheduleExpression: 'rate(1 minutes)' }, 'ValidationException'],
    ['unit and number that disagree', { ScheduleExpression: 'rate(10 minute)' }, 'ValidationException'],
    ['a cron without ?', { ScheduleExpression: 'cron(0 1 * * * *)' }, 'ValidationException'],
    ['a one-time schedule', { ScheduleExpression: 'at(2026-01-01T00:00:00)' }, 'ValidationException'],
    ['a bus that is not there', { EventPattern: '{"a":[1]}', EventBusName: 'mine' }, 'ResourceNotFoundException'],
    ['tags', { EventPattern: '{"a":[1]}', Tags: [{ Key: 'a', Value: 'b' }] }, 'UnsupportedOperationException'],
  ])('with %s is rejected', async (_what, more, name) => {
    await expect(test.client.send(new PutRuleCommand({ Name: 'bad', ...more }))).rejects.toMatchObject({ name });
    expect(await list()).toEqual([]);
  });

  it.each([
    ['an id with a space', { Id: 'a b' }, 'ValidationException'],
    [
      'a kind that is not supported',
      { Arn: 'arn:aws:sns:us-east-1:000000000000:topic' },
      'UnsupportedOperationException',
    ],
    ['two ways of input', { Input: '{}', InputPath: '$.detail' }, 'ValidationException'],
    ['an unknown placeholder', { InputTransformer: { InputTemplate: '"<what>"' } }, 'ValidationException'],
    ['more than 185 retries', { RetryPolicy: { MaximumRetryAttempts: 186 } }, 'ValidationException'],
    ['parameters of other services', { HttpParameters: {} }, 'UnsupportedOperationException'],
  ])('rejects a target with %s', async (_what, more, name) => {
    await test.rule('orders', { source: ['shop'] });
    const Targets = [{ Id: 'fn', Arn: FUNCTION_ARN, ...more }];
    const put = test.client.send(new PutTargetsCommand({ Rule: 'orders', Targets }));
    await expect(put).rejects.toMatchObject({ name });
    const listed = await test.client.send(new ListTargetsByRuleCommand({ Rule: 'orders' }));
    expect(listed.Targets).toEqual([]);
  });

  it('has at most five targets', async () => {
    const targets = Array.from({ length: 6 }, () => ({ Arn: FUNCTION_ARN }));
    await expect(test.rule('orders', { source: ['shop'] }, ...targets)).rejects.toMatchObject({
      name: 'LimitExceededException',
    });
  });
});

describe('PutEvents', () => {
  it('accepts entry by entry', async () => {
    const queue = await test.queue('all');
    await test.rule('all', { source: [{ prefix: '' }] }, { Arn: queue });
    const valid = { Source: 'shop', DetailType: 'x', Detail: '{}' };
    const reply = await test.client.send(
      new PutEventsCommand({
        Entries: [valid, { ...valid, Source: '' }, { ...valid, Detail: '[]' }, { ...valid, Source: 'aws.s3' }],
      }),
    );
    expect(reply.FailedEntryCount).toBe(3);
    expect(reply.Entries).toEqual([
      { EventId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      {
        ErrorCode: 'InvalidArgument',
        ErrorMessage: 'Parameter Source is not valid. Reason: Source is a required argument.',
      },
      { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' },
      { ErrorCode: 'NotAuthorizedForSourceException', ErrorMessage: 'Not authorized for the source.' },
    ]);
    expect(await test.take(queue)).toHaveLength(1);
  });

  it('takes at most ten entries and 1 MiB', async () => {
    const entry = { Source: 's', DetailType: 't', Detail: '{}' };
    const many = test.client.send(new PutEventsCommand({ Entries: Array.from({ length: 11 }, () => entry) }));
    await expect(many).rejects.toMatchObject({ name: 'ValidationException' });
    await expect(test.put({ text: 'x'.repeat(1_048_576) })).rejects.toMatchObject({
      message: 'Total size of the entries in the request is over the limit.',
    });
  });

  it('is throttled on demand', async () => {
    test.front.faults.replace([{ service: 'events', operation: 'PutEvents', effect: 'throttle', times: 1 }]);
    await expect(test.put({})).rejects.toMatchObject({ name: 'ThrottlingException' });
  });
});

describe('the service', () => {
  it('rejects unsupported members by name', async () => {
    await expect(test.client.send(new CreateEventBusCommand({ Name: 'mine' }))).rejects.toMatchObject({
      name: 'UnsupportedOperationException',
      message: expect.stringContaining('CreateEventBus'),
    });
  });
});
