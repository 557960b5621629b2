import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../../core/access/principal.ts';
import { ManualClock } from '../../core/clock.ts';
import { TestStepFunctions } from '../../testing/step-functions.ts';

const DAY_MS = 24 * 3600 * 1000;
const clock = new ManualClock();
let cloud: TestStepFunctions;
let machine: string;
beforeEach(async () => {
  cloud = await TestStepFunctions.open({ clock });
  machine = await cloud.machine(
    {
      StartAt: 'Sleep',
      States: { Sleep: { Type: 'Wait', Seconds: '{% $states.input.s %}', Next: 'Done' }, Done: { Type: 'Succeed' } },
    },
    'sleeper',
  );
});
afterEach(() => cloud.dispose());

const start = (input: string, name?: string) =>
  cloud.client.send(new StartExecutionCommand({ stateMachineArn: machine, input, name }));

describe('StartExecution', () => {
  it('with the name and input of an open execution returns that one', async () => {
    const first = await start('{"s":60}', 'run-1');
    await clock.advance(1000);
    const again = await start('{"s":60}', 'run-1');

    expect(first.executionArn).toBe('arn:aws:states:us-east-1:000000000000:execution:sleeper:run-1');
    expect(again).toMatchObject({ executionArn: first.executionArn, startDate: first.startDate });
    expect((await cloud.client.send(new ListExecutionsCommand({ stateMachineArn: machine }))).executions).toHaveLength(
      1,
    );
  });

  it('rejects a name that is taken, for 90 days after the close', async () => {
    const { executionArn } = await start('{"s":60}', 'run-1');
    await expect(start('{"s":61}', 'run-1')).rejects.toMatchObject({
      name: 'ExecutionAlreadyExists',
      message: `Execution Already Exists: '${executionArn}'`,
    });
    await clock.advance(60_000);
    await cloud.ended(executionArn!);
    await expect(start('{"s":60}', 'run-1')).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
    await clock.advance(90 * DAY_MS - 1);
    await expect(start('{"s":60}', 'run-1')).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
    await clock.advance(1);
    expect(await start('{"s":60}', 'run-1')).toMatchObject({ executionArn });
  });

  it.each([
    ['a name that is too long', '{}', 'x'.repeat(81), 'InvalidName'],
    ['a name with a slash', '{}', 'a/b', 'InvalidName'],
    ['input that is not JSON', '{', 'a', 'InvalidExecutionInput'],
    ['input above 256 KiB', JSON.stringify('é'.repeat(140_000)), 'a', 'InvalidExecutionInput'],
  ])('rejects %s', async (_what, input, name, error) => {
    await expect(start(input, name)).rejects.toMatchObject({ name: error });
    expect((await cloud.client.send(new ListExecutionsCommand({ stateMachineArn: machine }))).executions).toEqual([]);
  });

  it('rejects an unknown machine, an invalid ARN, and versions', async () => {
    const of = (stateMachineArn: string) => cloud.client.send(new StartExecutionCommand({ stateMachineArn }));
    await expect(of(`${machine}x`)).rejects.toMatchObject({ name: 'StateMachineDoesNotExist' });
    await expect(of('sleeper')).rejects.toMatchObject({ name: 'InvalidArn' });
    await expect(of(`${machine}:3`)).rejects.toMatchObject({ name: 'UnsupportedOperationException' });
  });

  it('through the port behaves the same', async () => {
    const { executionArn } = await cloud.service.start({
      caller: ROOT,
      stateMachineArn: machine,
      name: 'p',
      input: '{"s":60}',
    });
    expect(
      await cloud.service.start({ caller: ROOT, stateMachineArn: machine, name: 'p', input: '{"s":60}' }),
    ).toMatchObject({
      executionArn,
    });
    await expect(
      cloud.service.start({ caller: ROOT, stateMachineArn: machine, name: 'p', input: '{}' }),
    ).rejects.toMatchObject({
      code: 'ExecutionAlreadyExists',
    });
  });
});

describe('StopExecution', () => {
  it('aborts with a reason, and again changes nothing', async () => {
    const { executionArn } = await start('{"s":60}');
    const { stopDate } = await cloud.client.send(
      new StopExecutionCommand({ executionArn, error: 'Cancelled', cause: 'by hand' }),
    );
    await clock.advance(60_000);
    expect(await cloud.client.send(new StopExecutionCommand({ executionArn }))).toMatchObject({ stopDate });
    expect(await cloud.ended(executionArn!)).toMatchObject({
      status: 'ABORTED',
      error: 'Cancelled',
      cause: 'by hand',
      stopDate,
    });
    const events = await cloud.history(executionArn!);
    expect(events.at(-1)).toMatchObject({
      type: 'ExecutionAborted',
      executionAbortedEventDetails: { error: 'Cancelled' },
    });
  });

  it('of an unknown execution is rejected', async () => {
    const executionArn = 'arn:aws:states:us-east-1:000000000000:execution:sleeper:none';
    await expect(cloud.client.send(new StopExecutionCommand({ executionArn }))).rejects.toMatchObject({
      name: 'ExecutionDoesNotExist',
    });
    await expect(cloud.client.send(new DescribeExecutionCommand({ executionArn }))).rejects.toMatchObject({
      name: 'ExecutionDoesNotExist',
    });
  });
});

it('ListExecutions lists the newest first, by status and by page', async () => {
  const names = ['a', 'b', 'c', 'd'];
  for (const name of names) await start(`{"s":${name === 'b' ? 0 : 60}}`, name);
  await clock.advance(0);
  await cloud.ended(machine.replace('stateMachine', 'execution').concat(':b'));

  const list = async (more: object) => {
    const page = await cloud.client.send(new ListExecutionsCommand({ stateMachineArn: machine, ...more }));
    return { names: page.executions!.map(({ name }) => name), nextToken: page.nextToken };
  };
  expect((await list({})).names).toEqual(['d', 'c', 'b', 'a']);
  expect((await list({ statusFilter: 'SUCCEEDED' })).names).toEqual(['b']);
  const first = await list({ statusFilter: 'RUNNING', maxResults: 2 });
  expect(first.names).toEqual(['d', 'c']);
  expect(await list({ statusFilter: 'RUNNING', maxResults: 2, nextToken: first.nextToken })).toEqual({
    names: ['a'],
    nextToken: undefined,
  });
  await expect(list({ nextToken: 'nonsense' })).rejects.toMatchObject({ name: 'InvalidToken' });
});

describe('GetExecutionHistory', () => {
  it('returns every event with its predecessor, in pages and backwards', async () => {
    const { executionArn } = await start('{"s":0}');
    await clock.advance(0);
    await cloud.ended(executionArn!);
    const events = await cloud.history(executionArn!);

    expect(events.map(({ id, previousEventId, type }) => [id, previousEventId, type])).toEqual([
      [1, 0, 'ExecutionStarted'],
      [2, 1, 'WaitStateEntered'],
      [3, 2, 'WaitStateExited'],
      [4, 3, 'SucceedStateEntered'],
      [5, 4, 'SucceedStateExited'],
      [6, 5, 'ExecutionSucceeded'],
    ]);
    expect(events[0]).toMatchObject({
      timestamp: new Date(clock.now()),
      executionStartedEventDetails: { input: '{"s":0}', roleArn: 'arn:aws:iam::000000000000:role/machine' },
    });
    expect(events[1]!.stateEnteredEventDetails).toMatchObject({ name: 'Sleep', input: '{"s":0}' });

    for (const reverseOrder of [false, true]) {
      const ids: number[] = [];
      let nextToken: string | undefined;
      do {
        const page = await cloud.client.send(
          new GetExecutionHistoryCommand({ executionArn, maxResults: 4, reverseOrder, nextToken }),
        );
        ids.push(...page.events!.map(({ id }) => id!));
        nextToken = page.nextToken;
      } while (nextToken);
      expect(ids).toEqual(reverseOrder ? [6, 5, 4, 3, 2, 1] : [1, 2, 3, 4, 5, 6]);
    }
  });

  it('can omit input and output data', async () => {
    const { executionArn } = await start('{"s":60}');
    const { events } = await cloud.client.send(
      new GetExecutionHistoryCommand({ executionArn, includeExecutionData: false }),
    );
    expect(events![1]!.stateEnteredEventDetails).toMatchObject({ name: 'Sleep' });
    expect(JSON.stringify(events)).not.toContain('"input"');
  });
});

describe('status changes', () => {
  it("reach EventBridge with the execution's old and new state", async () => {
    const { executionArn } = await start('{"s":0}', 'reported');
    await clock.advance(0);
    await cloud.ended(executionArn!);
    const published = await cloud.when(
      () => cloud.events.published,
      ({ length }) => length === 2,
    );

    expect(published[1]).toMatchObject({
      source: 'aws.states',
      detailType: 'Step Functions Execution Status Change',
      resources: [executionArn],
      detail: {
        executionArn,
        stateMachineArn: machine,
        name: 'reported',
        status: 'SUCCEEDED',
        input: '{"s":0}',
        output: '{"s":0}',
        inputDetails: { included: true },
      },
    });
    expect(cloud.events.details().map(({ status }) => status)).toEqual(['RUNNING', 'SUCCEEDED']);
  });

  it('are kept while the bus rejects them, despite a restart', async () => {
    cloud.events.rejecting = true;
    const { executionArn } = await start('{"s":60}');
    await cloud.client.send(new StopExecutionCommand({ executionArn }));
    await cloud.restart();
    cloud.events.rejecting = false;
    await clock.advance(1000);
    await cloud.when(
      () => cloud.events.published,
      ({ length }) => length === 2,
    );
    expect(cloud.events.details().map(({ status }) => status)).toEqual(['RUNNING', 'ABORTED']);
  });
});
