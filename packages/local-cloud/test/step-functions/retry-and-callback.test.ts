import { SendTaskSuccessCommand } from '@aws-sdk/client-sfn';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AwsError } from '../../core/aws-error.ts';
import { ManualClock } from '../../core/clock.ts';
import { FunctionFailure } from '../../testing/recording-ports.ts';
import { TestStepFunctions } from '../../testing/step-functions.ts';

const execute = 'arn:aws:lambda:us-east-1:000000000000:function:execute:live';
const invoke = 'arn:aws:states:::lambda:invoke';

/** A call that is repeated attempt by attempt: failed attempts are answers, crashes are caught. */
const stepMachine = {
  StartAt: 'Begin',
  TimeoutSeconds: 86_400,
  States: {
    Begin: {
      Type: 'Pass',
      Assign: { attempt: 1, in: '{% $states.input %}', crash: { Error: 'none' } },
      Next: 'Execute',
    },
    Execute: {
      Type: 'Task',
      Resource: invoke,
      TimeoutSeconds: '{% $in.timeoutSeconds %}',
      Arguments: { FunctionName: execute, Payload: "{% $merge([$in, {'attempt': $attempt}]) %}" },
      Assign: { out: '{% $states.result.Payload %}', attempt: '{% $attempt + 1 %}' },
      Retry: [
        {
          ErrorEquals: ['Lambda.TooManyRequestsException', 'Lambda.ServiceException', 'Lambda.SdkClientException'],
          IntervalSeconds: 1,
          MaxAttempts: 6,
          BackoffRate: 2,
          JitterStrategy: 'FULL',
        },
      ],
      Catch: [
        {
          ErrorEquals: ['States.ALL'],
          Assign: { crash: '{% $states.errorOutput %}', attempt: '{% $attempt + 1 %}' },
          Next: 'Recover',
        },
      ],
      Next: 'Route',
    },
    Recover: {
      Type: 'Task',
      Resource: invoke,
      Arguments: { FunctionName: 'recover', Payload: { crash: '{% $crash %}', attempt: '{% $attempt - 1 %}' } },
      Retry: [{ ErrorEquals: ['States.ALL'], MaxAttempts: 10 }],
      Assign: { out: '{% $states.result.Payload %}' },
      Next: 'Route',
    },
    Route: {
      Type: 'Choice',
      Choices: [{ Condition: "{% $out.kind = 'retry' %}", Next: 'Backoff' }],
      Default: 'Done',
    },
    Backoff: { Type: 'Wait', Seconds: '{% $out.waitSeconds %}', Next: 'Execute' },
    Done: { Type: 'Succeed' },
  },
};

describe('a machine that repeats a call attempt by attempt', () => {
  const clock = new ManualClock();
  let cloud: TestStepFunctions;
  beforeEach(async () => {
    cloud = await TestStepFunctions.open({ clock, random: () => 0.5 });
  });
  afterEach(() => cloud.dispose());

  it('succeeds in 11 transitions after a service error, a failed attempt with a wait, and a crash', async () => {
    cloud.lambda.answer(execute, (_event, call) => {
      if (call === 1) return new AwsError('TooManyRequestsException', 'Rate Exceeded.', { status: 429 });
      if (call === 2) return { kind: 'retry', waitSeconds: 7 };
      if (call === 3) return new FunctionFailure({ errorType: 'Sandbox.Timedout', errorMessage: 'Task timed out' });
      return { kind: 'done' };
    });
    cloud.lambda.answer('recover', () => ({ kind: 'retry', waitSeconds: 14 }));
    const machine = await cloud.machine(stepMachine);
    const execution = await cloud.execute(machine, { step: 'load', timeoutSeconds: 60 });
    const began = clock.now();

    const calls = () => cloud.lambda.calls.length;
    const at: number[] = [];
    for (const waited of [500, 7000, 14_000]) {
      const before = calls();
      await clock.advance(waited - 1);
      expect(calls()).toBe(before);
      await clock.advance(1);
      await cloud.when(calls, (count) => count > before);
      at.push(clock.now() - began);
      await clock.advance(0);
    }

    expect(await cloud.ended(execution)).toMatchObject({ status: 'SUCCEEDED' });
    expect(cloud.lambda.events(execute)).toEqual(
      [1, 1, 2, 3].map((attempt) => ({ step: 'load', timeoutSeconds: 60, attempt })),
    );
    expect(cloud.lambda.events('recover')).toEqual([
      {
        attempt: 2,
        crash: {
          Error: 'Sandbox.Timedout',
          Cause: JSON.stringify({ errorType: 'Sandbox.Timedout', errorMessage: 'Task timed out' }),
        },
      },
    ]);
    expect(at).toEqual([500, 7500, 21_500]);
    expect(cloud.service.transitions(machine)).toBe(11);
  });

  it('needs 4 transitions without errors', async () => {
    cloud.lambda.answer(execute, () => ({ kind: 'done' }));
    const machine = await cloud.machine(stepMachine);
    const execution = await cloud.execute(machine, { step: 'load', timeoutSeconds: 60 });

    expect(await cloud.ended(execution)).toMatchObject({ status: 'SUCCEEDED' });
    expect(cloud.service.transitions(machine)).toBe(4);
    expect(cloud.service.transitions()).toBe(4);
    const entered = (await cloud.history(execution)).flatMap((event) => event.stateEnteredEventDetails?.name ?? []);
    expect(entered).toEqual(['Begin', 'Execute', 'Route', 'Done']);
  });
});

describe('a machine that waits for its token', () => {
  const runMachine = {
    StartAt: 'Init',
    States: {
      Init: {
        Type: 'Task',
        Resource: invoke,
        Arguments: { FunctionName: 'lifecycle', Payload: { op: 'init' } },
        Next: 'AwaitRun',
      },
      AwaitRun: {
        Type: 'Task',
        Resource: `${invoke}.waitForTaskToken`,
        TimeoutSeconds: 3600,
        Arguments: { FunctionName: 'lifecycle', Payload: { op: 'await', token: '{% $states.context.Task.Token %}' } },
        Catch: [{ ErrorEquals: ['States.ALL'], Output: '{% $states.errorOutput %}', Next: 'Finalize' }],
        Next: 'Finalize',
      },
      Finalize: {
        Type: 'Task',
        Resource: invoke,
        Arguments: { FunctionName: 'lifecycle', Payload: { op: 'finalize', outcome: '{% $states.input %}' } },
        End: true,
      },
    },
  };
  const clock = new ManualClock();
  let cloud: TestStepFunctions;
  beforeEach(async () => {
    cloud = await TestStepFunctions.open({ clock });
    cloud.lambda.answer('lifecycle', () => 'ok');
  });
  afterEach(() => cloud.dispose());

  const token = async () => {
    const calls = await cloud.when(
      () => cloud.lambda.events('lifecycle') as { op: string; token: string }[],
      (events) => events.length === 2,
    );
    return calls[1]!.token;
  };

  it('continues with the answer, also after a restart', async () => {
    const execution = await cloud.execute(await cloud.machine(runMachine));
    const taskToken = await token();
    await cloud.when(
      () => cloud.history(execution),
      (events) => events.some(({ type }) => type === 'TaskSubmitted'),
    );
    await cloud.restart();
    await cloud.client.send(new SendTaskSuccessCommand({ taskToken, output: '{"steps":3}' }));

    expect((await cloud.ended(execution)).status).toBe('SUCCEEDED');
    expect(cloud.lambda.events('lifecycle').map((event) => (event as { op: string }).op)).toEqual([
      'init',
      'await',
      'finalize',
    ]);
    expect(cloud.lambda.events('lifecycle')[2]).toEqual({ op: 'finalize', outcome: { steps: 3 } });
  });

  it('times out at its deadline, which a restart does not move', async () => {
    const execution = await cloud.execute(await cloud.machine(runMachine));
    await token();
    await clock.advance(3_000_000);
    await cloud.restart();
    await clock.advance(599_999);
    expect(cloud.lambda.events('lifecycle').at(-1)).not.toMatchObject({ op: 'finalize' });
    await clock.advance(1);

    expect((await cloud.ended(execution)).status).toBe('SUCCEEDED');
    expect(cloud.lambda.events('lifecycle').at(-1)).toEqual({ op: 'finalize', outcome: { Error: 'States.Timeout' } });
  });
});
