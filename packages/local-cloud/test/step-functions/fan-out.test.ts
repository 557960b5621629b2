import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FunctionFailure } from '../../testing/recording-ports.ts';
import { TestStepFunctions } from '../../testing/step-functions.ts';

let cloud: TestStepFunctions;
beforeEach(async () => {
  cloud = await TestStepFunctions.open();
});
afterEach(() => cloud.dispose());

const invoke = (name: string, Payload: unknown, fields: object = {}) => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Arguments: { FunctionName: name, Payload },
  Output: '{% $states.result.Payload %}',
  ...fields,
});
const map = (fields: object, states?: Record<string, object>) => ({
  StartAt: 'Each',
  States: {
    Each: {
      Type: 'Map',
      ItemProcessor: {
        ProcessorConfig: { Mode: 'INLINE' },
        StartAt: 'Item',
        States: states ?? { Item: { ...invoke('work', '{% $states.input %}'), End: true } },
      },
      ...fields,
    },
  },
});

/** A function whose calls the test completes one by one; reports how many ran at once. */
function gate() {
  const open: (() => void)[] = [];
  let max = 0;
  cloud.lambda.answer('work', async (event) => {
    max = Math.max(max, open.length + 1);
    await new Promise<void>((resolve) => open.push(resolve));
    return event;
  });
  return { open, max: () => max };
}

describe('Map', () => {
  it('runs the processor for every item and keeps their order', async () => {
    cloud.lambda.answer('work', (event) => (event as number) * 2);
    const ended = await cloud.run(map({ Items: '{% $states.input.n %}', End: true }), { n: [1, 2, 3] });
    expect(ended.result).toEqual([2, 4, 6]);
    const events = await cloud.history(ended.executionArn!);
    expect(events.find(({ type }) => type === 'MapStateStarted')!.mapStateStartedEventDetails).toEqual({ length: 3 });
    expect(events.filter(({ type }) => type === 'MapIterationSucceeded')).toHaveLength(3);
  });

  it('takes its input as items, and no items give an empty list', async () => {
    cloud.lambda.answer('work', (event) => event);
    expect((await cloud.run(map({ End: true }), ['a'])).result).toEqual(['a']);
    expect((await cloud.run(map({ Items: [], End: true }))).result).toEqual([]);
  });

  it('fails when the items are not a list', async () => {
    expect(await cloud.run(map({ Items: '{% 5 %}', End: true }))).toMatchObject({
      error: 'States.QueryEvaluationError',
    });
  });

  it('shapes the input of each iteration with ItemSelector, which sees item, input and variables', async () => {
    cloud.lambda.answer('work', (event) => event);
    const machine = map({
      Items: ['a', 'b'],
      ItemSelector: {
        at: '{% $states.context.Map.Item.Index %}',
        value: '{% $states.context.Map.Item.Value %}',
        all: '{% $states.input.k & $v %}',
      },
      End: true,
    });
    const states = { Set: { Type: 'Pass', Assign: { v: '!' }, Next: 'Each' }, ...machine.States };
    expect((await cloud.run({ StartAt: 'Set', States: states }, { k: 'K' })).result).toEqual([
      { at: 0, value: 'a', all: 'K!' },
      { at: 1, value: 'b', all: 'K!' },
    ]);
  });

  it.each([
    [2, 2],
    ['{% $states.input.c %}', 3],
  ])('runs at most MaxConcurrency %s iterations at once', async (MaxConcurrency, limit) => {
    const { open, max } = gate();
    const items = [0, 1, 2, 3, 4, 5, 6];
    const execution = await cloud.execute(await cloud.machine(map({ Items: items, MaxConcurrency, End: true })), {
      c: 3,
    });
    for (let done = 0; done < items.length; done += 1) {
      await cloud.when(
        () => open.length,
        (running) => running === Math.min(limit, items.length - done),
      );
      open.shift()!();
    }
    expect((await cloud.ended(execution)).result).toEqual(items);
    expect(max()).toBe(limit);
  });

  it('runs at most 40 iterations at once by default', async () => {
    const { open, max } = gate();
    const execution = await cloud.execute(await cloud.machine(map({ Items: '{% [1..60] %}', End: true })));
    await cloud.when(
      () => open.length,
      (running) => running === 40,
    );
    const done = cloud.ended(execution);
    let over = false;
    void done.finally(() => {
      over = true;
    });
    await cloud.when(
      () => open.splice(0).map((release) => release()),
      () => over,
    );
    expect((await done).status).toBe('SUCCEEDED');
    expect(max()).toBe(40);
  });

  it('gives each iteration its own variables', async () => {
    const { result } = await cloud.run({
      StartAt: 'Outer',
      States: {
        Outer: { Type: 'Pass', Assign: { base: 10 }, Next: 'Each' },
        Each: {
          ...map(
            { Items: [1, 2] },
            {
              Item: { Type: 'Pass', Assign: { mine: '{% $base + $states.input %}' }, Next: 'Report' },
              Report: { Type: 'Pass', Output: '{% $mine %}', End: true },
            },
          ).States.Each,
          Assign: { total: '{% $sum($states.result) %}' },
          Next: 'After',
        },
        After: { Type: 'Pass', Output: "{% {'sum': $total, 'inner': $exists($mine)} %}", End: true },
      },
    });
    expect(result).toEqual({ sum: 23, inner: false });
  });

  it('fails with the error of one iteration and aborts the others', async () => {
    cloud.lambda.answer('work', (event) =>
      event === 2 ? new FunctionFailure({ errorType: 'Bad', errorMessage: 'two' }) : new Promise(() => undefined),
    );
    const machine = map({ Items: [1, 2], Catch: [{ ErrorEquals: ['Bad'], Next: 'After' }], Next: 'After' });
    const ended = await cloud.run({ ...machine, States: { ...machine.States, After: { Type: 'Succeed' } } });
    expect(ended.result).toMatchObject({ Error: 'Bad' });
    const types = (await cloud.history(ended.executionArn!)).map(({ type }) => type);
    expect(types).toEqual(
      expect.arrayContaining(['MapIterationFailed', 'TaskStateAborted', 'MapIterationAborted', 'MapStateFailed']),
    );
  });

  it('is retried as a whole', async () => {
    cloud.lambda.answer('work', (_event, call) => (call === 1 ? new FunctionFailure({ errorType: 'Flaky' }) : 'ok'));
    const Retry = [{ ErrorEquals: ['Flaky'], IntervalSeconds: 1 }];
    expect((await cloud.run(map({ Items: [1], Retry, End: true }))).result).toEqual(['ok']);
    expect(cloud.lambda.calls).toHaveLength(2);
  });
});

describe('Parallel', () => {
  it('gives every branch its input, or the Arguments, and returns the outputs in order', async () => {
    const branch = (name: string) => ({
      StartAt: name,
      States: { [name]: { Type: 'Pass', Output: `{% '${name}' & $states.input.k %}`, End: true } },
    });
    const parallel = (fields: object) => ({
      StartAt: 'Both',
      States: { Both: { Type: 'Parallel', Branches: [branch('A'), branch('B')], ...fields, End: true } },
    });
    expect((await cloud.run(parallel({}), { k: 1 })).result).toEqual(['A1', 'B1']);
    expect((await cloud.run(parallel({ Arguments: { k: '{% $states.input.k + 1 %}' } }), { k: 1 })).result).toEqual([
      'A2',
      'B2',
    ]);
  });

  it('fails with a Fail state of a branch', async () => {
    const ended = await cloud.run({
      StartAt: 'Both',
      States: {
        Both: {
          Type: 'Parallel',
          Branches: [
            { StartAt: 'Sleep', States: { Sleep: { Type: 'Wait', Seconds: 600, End: true } } },
            { StartAt: 'No', States: { No: { Type: 'Fail', Error: 'Rejected', Cause: 'why' } } },
          ],
          End: true,
        },
      },
    });
    expect(ended).toMatchObject({ status: 'FAILED', error: 'Rejected', cause: 'why' });
    const types = (await cloud.history(ended.executionArn!)).map(({ type }) => type);
    expect(types.slice(-4)).toEqual(['FailStateEntered', 'WaitStateAborted', 'ParallelStateFailed', 'ExecutionFailed']);
  });

  it('nests in a Map', async () => {
    const inner = (name: string, by: number) => ({
      StartAt: name,
      States: {
        [name]: { Type: 'Pass', Output: `{% $states.input * ${by} + $states.context.Map.Item.Index %}`, End: true },
      },
    });
    const machine = map(
      { Items: [1, 2], End: true },
      {
        Item: { Type: 'Parallel', Branches: [inner('Tens', 10), inner('Hundreds', 100)], End: true },
      },
    );
    expect((await cloud.run(machine)).result).toEqual([
      [10, 100],
      [21, 201],
    ]);
  });
});
