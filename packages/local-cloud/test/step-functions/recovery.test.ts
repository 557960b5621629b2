import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../core/clock.ts';
import { FunctionFailure } from '../../testing/recording-ports.ts';
import { TestStepFunctions } from '../../testing/step-functions.ts';

const clock = new ManualClock();
let cloud: TestStepFunctions;
beforeEach(async () => {
  cloud = await TestStepFunctions.open({ clock, random: () => 0.5 });
});
afterEach(() => cloud.dispose());

const failing = (errorType: string) => new FunctionFailure({ errorType, errorMessage: 'made to fail' });
const machine = (fields: object) => ({
  StartAt: 'Call',
  States: {
    Call: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Arguments: { FunctionName: 'work', Payload: { retry: '{% $states.context.State.RetryCount %}' } },
      ...fields,
      Next: 'Fine',
    },
    Fine: { Type: 'Pass', Output: 'fine', End: true },
    Caught: { Type: 'Pass', End: true },
  },
});
const catchAll = (more: object = {}) => [{ ErrorEquals: ['States.ALL'], Next: 'Caught', ...more }];

/** Offsets in milliseconds of the function's calls, while the clock advances in steps. */
async function callTimes(retrier: object, failures: number): Promise<number[]> {
  const times: number[] = [];
  const began = clock.now();
  cloud.lambda.answer('work', (_event, call) => {
    times.push(clock.now() - began);
    return call <= failures ? failing('Flaky') : 'ok';
  });
  const definition = machine({ Retry: [{ ErrorEquals: ['Flaky'], ...retrier }], Catch: catchAll() });
  const execution = await cloud.execute(await cloud.machine(definition));
  const done = cloud.ended(execution);
  let over = false;
  void done.finally(() => {
    over = true;
  });
  while (!over) {
    // SDK calls are real I/O: let them settle before time advances.
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(over ? 0 : 125);
  }
  return times;
}

describe('Retry', () => {
  it('waits 1, 2 and 4 seconds by default, at most three times', async () => {
    expect(await callTimes({}, 9)).toEqual([0, 1000, 3000, 7000]);
  });

  it('caps the delay at MaxDelaySeconds', async () => {
    expect(await callTimes({ IntervalSeconds: 2, BackoffRate: 3, MaxDelaySeconds: 5, MaxAttempts: 3 }, 3)).toEqual([
      0, 2000, 7000, 12_000,
    ]);
  });

  it('spreads the delay with full jitter', async () => {
    expect(await callTimes({ IntervalSeconds: 4, BackoffRate: 1, JitterStrategy: 'FULL', MaxAttempts: 2 }, 2)).toEqual([
      0, 2000, 4000,
    ]);
  });

  it('does not happen with MaxAttempts 0', async () => {
    expect(await callTimes({ MaxAttempts: 0 }, 1)).toEqual([0]);
  });

  it('has the attempt in the context and keeps its count and deadline after a restart', async () => {
    cloud.lambda.answer('work', (_event, call) => (call <= 2 ? failing('Flaky') : 'ok'));
    const definition = machine({
      Retry: [{ ErrorEquals: ['Flaky'], IntervalSeconds: 10, MaxAttempts: 2 }],
      Catch: catchAll(),
    });
    const execution = await cloud.execute(await cloud.machine(definition));
    const called = (count: number) =>
      cloud.when(
        () => cloud.lambda.calls.length,
        (calls) => calls === count,
      );
    await called(1);
    await clock.advance(0);
    await clock.advance(6000);
    await cloud.restart();
    await clock.advance(3999);
    expect(cloud.lambda.calls).toHaveLength(1);
    await clock.advance(1);
    await called(2);
    await clock.advance(0);
    await cloud.restart();
    await clock.advance(20_000);

    expect((await cloud.ended(execution)).result).toBe('fine');
    expect(cloud.lambda.events('work')).toEqual([{ retry: 0 }, { retry: 1 }, { retry: 2 }]);
  });
});

describe('Catch', () => {
  it('continues with the error as input, and can assign and shape it', async () => {
    cloud.lambda.answer('work', () => failing('Broken'));
    expect((await cloud.run(machine({ Catch: catchAll() }))).result).toEqual({
      Error: 'Broken',
      Cause: '{"errorType":"Broken","errorMessage":"made to fail"}',
    });
    const shaped = catchAll({
      Assign: { was: '{% $states.errorOutput.Error %}' },
      Output: "{% $states.input.id & '!' %}",
    });
    const definition = machine({ Catch: shaped });
    Object.assign(definition.States.Caught, { Output: '{% [$states.input, $was] %}' });
    expect((await cloud.run(definition, { id: 'x' })).result).toEqual(['x!', 'Broken']);
  });

  it.each([
    ['Broken', ['Broken'], true],
    ['Broken', ['Other'], false],
    ['Broken', ['States.TaskFailed'], true],
    ['Broken', ['States.ALL'], true],
    ['States.Runtime', ['States.ALL'], false],
    ['States.Runtime', ['States.Runtime'], false],
    ['States.DataLimitExceeded', ['States.ALL'], false],
    ['States.DataLimitExceeded', ['States.DataLimitExceeded'], true],
    ['States.Timeout', ['States.TaskFailed'], false],
    ['States.Timeout', ['States.Timeout'], true],
    ['States.HeartbeatTimeout', ['States.Timeout'], true],
  ])('for %s with %j: %s', async (error, ErrorEquals, caught) => {
    cloud.lambda.answer('work', () => failing(error));
    const definition = machine({ Catch: [{ ErrorEquals, Next: 'Caught' }] });
    expect((await cloud.run(definition)).status).toBe(caught ? 'SUCCEEDED' : 'FAILED');
  });

  it('follows the last retry, and catches failed expressions too', async () => {
    const definition = machine({
      Arguments: { FunctionName: 'work', Payload: '{% $states.input.absent %}' },
      Catch: [{ ErrorEquals: ['States.QueryEvaluationError'], Next: 'Caught' }],
    });
    const ended = await cloud.run(definition);
    expect(ended.result).toMatchObject({ Error: 'States.QueryEvaluationError' });
    const types = (await cloud.history(ended.executionArn!)).map(({ type }) => type);
    expect(types).toContain('EvaluationFailed');
    expect(cloud.lambda.calls).toEqual([]);
  });
});

describe('a time limit of the machine', () => {
  it('ends the execution as TIMED_OUT, whatever it waits for', async () => {
    const waiting = {
      StartAt: 'Long',
      TimeoutSeconds: 60,
      States: { Long: { Type: 'Wait', Seconds: 600, End: true } },
    };
    const execution = await cloud.execute(await cloud.machine(waiting));
    await clock.advance(59_999);
    await cloud.restart();
    await clock.advance(1);
    expect(await cloud.ended(execution)).toMatchObject({ status: 'TIMED_OUT' });
    expect((await cloud.history(execution)).at(-1)!.type).toBe('ExecutionTimedOut');
  });
});

describe('Wait', () => {
  it.each([
    ['Seconds', 30],
    ['Seconds', '{% $states.input.s %}'],
    ['Timestamp', '{% $fromMillis($millis() + 30000) %}'],
    ['Timestamp', '2000-01-01T00:00:00Z'],
  ])('with %s %s lasts exactly that long', async (field, value) => {
    const machineArn = await cloud.machine({
      StartAt: 'Sleep',
      States: { Sleep: { Type: 'Wait', [field]: value, Output: '{% $states.input.s %}', End: true } },
    });
    const execution = await cloud.execute(machineArn, { s: 30 });
    const past = value === '2000-01-01T00:00:00Z';
    await clock.advance(past ? 0 : 29_999);
    if (!past) expect((await cloud.history(execution)).at(-1)!.type).toBe('WaitStateEntered');
    await clock.advance(1);
    expect((await cloud.ended(execution)).result).toBe(30);
  });

  it.each([
    ['Seconds', '{% 1.5 %}'],
    ['Seconds', '{% -1 %}'],
    ['Timestamp', "{% 'tomorrow' %}"],
  ])('fails with %s %s', async (field, value) => {
    const machineArn = await cloud.machine({
      StartAt: 'S',
      States: { S: { Type: 'Wait', [field]: value, End: true } },
    });
    expect(await cloud.ended(await cloud.execute(machineArn))).toMatchObject({ error: 'States.QueryEvaluationError' });
  });
});
