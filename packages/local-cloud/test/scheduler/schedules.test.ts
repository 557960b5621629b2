import {
  CreateScheduleGroupCommand,
  DeleteScheduleCommand,
  DeleteScheduleGroupCommand,
  GetScheduleCommand,
  GetScheduleGroupCommand,
  ListScheduleGroupsCommand,
  ListSchedulesCommand,
  TagResourceCommand,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FUNCTION_ARN } from '../events/support/recording-targets.ts';
import { ROLE, TestScheduler } from './support/test-scheduler.ts';

let test: TestScheduler;
beforeEach(async () => {
  test = await TestScheduler.start();
});
afterEach(() => test.close());

const NOON = 'cron(0 12 * * ? *)';
const get = (GroupName?: string) => test.client.send(new GetScheduleCommand({ Name: 'tick', GroupName }));

describe('a schedule', () => {
  it("is read as created, with AWS's defaults", async () => {
    const Target = { Arn: FUNCTION_ARN, RoleArn: ROLE };
    const arn = await test.create(NOON, FUNCTION_ARN, { Target, Description: 'Noon' });
    expect(arn).toBe('arn:aws:scheduler:us-east-1:000000000000:schedule/default/tick');
    expect(await get()).toMatchObject({
      Arn: arn,
      Name: 'tick',
      GroupName: 'default',
      Description: 'Noon',
      State: 'ENABLED',
      ScheduleExpression: NOON,
      ScheduleExpressionTimezone: 'UTC',
      FlexibleTimeWindow: { Mode: 'OFF' },
      ActionAfterCompletion: 'NONE',
      CreationDate: new Date('2026-01-01T00:00:00Z'),
      Target: { ...Target, RetryPolicy: { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 } },
    });
  });

  it('is created once: the same client token succeeds again, another conflicts', async () => {
    const ClientToken = 'token-1';
    const arn = await test.create(NOON, FUNCTION_ARN, { ClientToken });
    expect(await test.create(NOON, FUNCTION_ARN, { ClientToken })).toBe(arn);
    await expect(test.create(NOON, FUNCTION_ARN)).rejects.toMatchObject({
      name: 'ConflictException',
      $metadata: { httpStatusCode: 409 },
    });
  });

  it('is updated as a whole: omitted members get their defaults', async () => {
    const StartDate = new Date('2026-02-01T00:00:00Z');
    await test.create(NOON, FUNCTION_ARN, { Description: 'Noon', State: 'DISABLED', StartDate });
    expect(await get()).toMatchObject({ StartDate });
    await test.clock.advance(1_000);
    await test.client.send(
      new UpdateScheduleCommand({
        Name: 'tick',
        ScheduleExpression: 'rate(1 hour)',
        FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 15 },
        Target: { Arn: FUNCTION_ARN, RoleArn: ROLE },
      }),
    );
    const updated = await get();
    expect(updated).toMatchObject({
      State: 'ENABLED',
      ScheduleExpression: 'rate(1 hour)',
      FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 15 },
      CreationDate: new Date('2026-01-01T00:00:00Z'),
      LastModificationDate: new Date('2026-01-01T00:00:01Z'),
    });
    expect(updated.Description).toBeUndefined();
    expect(updated.StartDate).toBeUndefined();
  });

  it('does not exist after its deletion', async () => {
    await test.create(NOON, FUNCTION_ARN);
    await test.client.send(new DeleteScheduleCommand({ Name: 'tick' }));
    await expect(get()).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: 'Schedule tick does not exist.',
      $metadata: { httpStatusCode: 404 },
    });
    await test.clock.advance(86_400_000);
    expect(test.targets.invocations).toEqual([]);
  });

  it.each([
    [
      'a bad expression',
      { ScheduleExpression: 'cron(0 1 * * * *)' },
      'ValidationException',
      'Invalid Schedule Expression cron(0 1 * * * *).',
    ],
    ['an unknown time zone', { ScheduleExpressionTimezone: 'Mars/Olympus' }, 'ValidationException', 'Mars/Olympus'],
    ['a bad name', { Name: 'a b' }, 'ValidationException', "Value 'a b' at 'name'"],
    [
      'a window without length',
      { FlexibleTimeWindow: { Mode: 'FLEXIBLE' as const } },
      'ValidationException',
      'MaximumWindowInMinutes',
    ],
    [
      'a group that is not there',
      { GroupName: 'nowhere' },
      'ResourceNotFoundException',
      'Schedule group nowhere does not exist.',
    ],
    [
      'an end before its start',
      { StartDate: new Date(2_000_000_000_000), EndDate: new Date(1_900_000_000_000) },
      'ValidationException',
      'EndDate',
    ],
    [
      'a universal target',
      { Target: { Arn: 'arn:aws:scheduler:::aws-sdk:sqs:sendMessage', RoleArn: ROLE } },
      'UnsupportedOperationException',
      'aws-sdk:sqs:sendMessage',
    ],
    [
      'parameters of other services',
      { Target: { Arn: FUNCTION_ARN, RoleArn: ROLE, KinesisParameters: { PartitionKey: 'x' } } },
      'UnsupportedOperationException',
      'KinesisParameters',
    ],
    ['a key', { KmsKeyArn: 'arn:aws:kms:us-east-1:000000000000:key/x' }, 'UnsupportedOperationException', 'KmsKeyArn'],
  ])('with %s is rejected', async (_what, more, name, message) => {
    await expect(test.create(NOON, FUNCTION_ARN, more)).rejects.toMatchObject({
      name,
      message: expect.stringContaining(message),
    });
    expect((await test.client.send(new ListSchedulesCommand({}))).Schedules).toEqual([]);
  });
});

describe('groups of schedules', () => {
  const createGroup = (Name: string) => test.client.send(new CreateScheduleGroupCommand({ Name }));

  it('keep schedules of the same name apart, and are listed with them', async () => {
    await createGroup('reports');
    await test.create(NOON, FUNCTION_ARN);
    await test.create('rate(1 day)', FUNCTION_ARN, { GroupName: 'reports', State: 'DISABLED' });
    expect(await get('reports')).toMatchObject({ GroupName: 'reports', ScheduleExpression: 'rate(1 day)' });
    const listed = async (input: object) => {
      const { Schedules } = await test.client.send(new ListSchedulesCommand(input));
      return Schedules?.map(({ GroupName, Name }) => `${GroupName}/${Name}`);
    };
    expect(await listed({})).toEqual(['default/tick', 'reports/tick']);
    expect(await listed({ GroupName: 'reports' })).toEqual(['reports/tick']);
    expect(await listed({ State: 'ENABLED' })).toEqual(['default/tick']);
    expect(await listed({ NamePrefix: 'tock' })).toEqual([]);
    const first = await test.client.send(new ListSchedulesCommand({ MaxResults: 1 }));
    expect(await listed({ MaxResults: 1, NextToken: first.NextToken })).toEqual(['reports/tick']);
  });

  it('are deleted with their schedules, except the default group', async () => {
    await createGroup('reports');
    await test.create('rate(1 minute)', FUNCTION_ARN, {
      GroupName: 'reports',
      StartDate: new Date('2026-01-01T01:00:00Z'),
    });
    await test.client.send(new DeleteScheduleGroupCommand({ Name: 'reports' }));
    await expect(test.client.send(new GetScheduleGroupCommand({ Name: 'reports' }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    await test.clock.advance(7_200_000);
    expect(test.targets.invocations).toEqual([]);
    const { ScheduleGroups } = await test.client.send(new ListScheduleGroupsCommand({}));
    expect(ScheduleGroups).toMatchObject([{ Name: 'default', State: 'ACTIVE' }]);
    await expect(test.client.send(new DeleteScheduleGroupCommand({ Name: 'default' }))).rejects.toMatchObject({
      name: 'ValidationException',
    });
  });

  it('are created once', async () => {
    await createGroup('reports');
    await expect(createGroup('reports')).rejects.toMatchObject({ name: 'ConflictException' });
  });
});

describe('the service', () => {
  it('rejects unsupported members by name', async () => {
    const ResourceArn = 'arn:aws:scheduler:us-east-1:000000000000:schedule-group/default';
    const tag = test.client.send(new TagResourceCommand({ ResourceArn, Tags: [{ Key: 'a', Value: 'b' }] }));
    await expect(tag).rejects.toMatchObject({
      name: 'UnsupportedOperationException',
      message: expect.stringContaining('POST /tags/'),
    });
  });

  it('throttles and loses answers on demand', async () => {
    test.front.faults.replace([{ service: 'scheduler', effect: 'throttle', times: 1 }]);
    await expect(test.create(NOON, FUNCTION_ARN)).rejects.toMatchObject({ name: 'ThrottlingException' });
    test.front.faults.replace([{ service: 'scheduler', effect: 'lostAnswer', times: 1 }]);
    await expect(test.create(NOON, FUNCTION_ARN)).rejects.toMatchObject({ name: 'InternalServerException' });
    expect(await get()).toMatchObject({ Name: 'tick' });
  });
});
