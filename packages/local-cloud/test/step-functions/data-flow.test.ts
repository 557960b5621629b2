import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ManualClock } from '../../core/clock.ts';
import { TestStepFunctions } from '../../testing/step-functions.ts';

let cloud: TestStepFunctions;
beforeAll(async () => {
  cloud = await TestStepFunctions.open({ clock: new ManualClock(Date.UTC(2026, 2, 1, 12)), random: () => 0.25 });
});
afterAll(() => cloud.dispose());

const passThrough = (fields: object) => ({ StartAt: 'Only', States: { Only: { Type: 'Pass', ...fields, End: true } } });

describe('Output', () => {
  it('is the input when it is absent', async () => {
    expect((await cloud.run(passThrough({}), { a: [1, null] })).result).toEqual({ a: [1, null] });
  });

  it('may hold expressions at any depth beside literals', async () => {
    const Output = { total: '{% $sum($states.input.n) %}', list: ['x', '{% $states.input.n[0] %}'], plain: { k: 1 } };
    expect((await cloud.run(passThrough({ Output }), { n: [1, 2] })).result).toEqual({
      total: 3,
      list: ['x', 1],
      plain: { k: 1 },
    });
  });

  it.each([
    ['$partition([1,2,3,4,5], 2)', [[1, 2], [3, 4], [5]]],
    ['$range(0, 10, 5)', [0, 5, 10]],
    ["$hash('abc', 'SHA-1')", 'a9993e364706816aba3e25717850c26c9cd0d89d'],
    ['$parse(\'{"a":[1]}\')', { a: [1] }],
    ['$random()', 0.25],
    ['$random(7) = $random(7)', true],
    ['$now()', '2026-03-01T12:00:00.000Z'],
    ["$now('[Y0001]')", '2026'],
    ['$millis() - $toMillis($now())', 0],
    ['$length($uuid())', 36],
    ['$uuid() != $uuid()', true],
    ['$map([1,2], function($v) { $v * 2 })', [2, 4]],
    ['($x := 5; $x + 1)', 6],
    ['$exists($never)', false],
  ])('evaluates %s', async (expression, expected) => {
    expect((await cloud.run(passThrough({ Output: `{% ${expression} %}` }))).result).toEqual(expected);
  });

  it.each([
    ['$states.input.absent', 'returned nothing (undefined)'],
    ["1 + 'a'", 'threw an error during evaluation'],
    ['$never.field', "The variable '$never' has not been assigned."],
    ["{'a': $never}", "The variable '$never' has not been assigned."],
    ['$sum', 'returned an unsupported result type'],
    ["$eval('1')", '$eval is not supported'],
    ['1/0', 'returned a number that JSON cannot represent'],
    ['($loop := function($n) { 1 + $loop($n) }; $loop(1))', 'threw an error'],
  ])('fails with States.QueryEvaluationError for %s', async (expression, cause) => {
    const ended = await cloud.run(passThrough({ Output: { part: `{% ${expression} %}` } }));

    expect(ended).toMatchObject({ status: 'FAILED', error: 'States.QueryEvaluationError' });
    expect(ended.cause).toContain("executing the state 'Only' (entered at the event id #2)");
    expect(ended.cause).toContain("specified for the field 'Output/part'");
    expect(ended.cause).toContain(cause);
    const failed = (await cloud.history(ended.executionArn!)).find(({ type }) => type === 'EvaluationFailed');
    expect(failed?.evaluationFailedEventDetails).toMatchObject({ state: 'Only', location: 'Output/part' });
  });

  it('fails with States.DataLimitExceeded above 256 KiB', async () => {
    const big = "{% $join($map([1..1025], function() { $pad('', 256, 'x') })) %}";
    expect(await cloud.run(passThrough({ Output: big }))).toMatchObject({
      status: 'FAILED',
      error: 'States.DataLimitExceeded',
    });
  });
});

describe('Assign', () => {
  it('and Output of a state both see the variables before it', async () => {
    const { result } = await cloud.run({
      StartAt: 'First',
      States: {
        First: { Type: 'Pass', Assign: { x: 1, y: 10 }, Next: 'Second' },
        Second: {
          Type: 'Pass',
          Assign: { x: '{% $x + 1 %}', y: '{% $x %}' },
          Output: '{% [$x, $y] %}',
          Next: 'Third',
        },
        Third: { Type: 'Pass', Output: '{% {"before": $states.input, "after": [$x, $y]} %}', End: true },
      },
    });
    expect(result).toEqual({ before: [1, 10], after: [2, 1] });
  });

  it('of a choice rule applies if the rule matches, that of the state if the default is taken', async () => {
    const machine = await cloud.machine({
      StartAt: 'Which',
      States: {
        Which: {
          Type: 'Choice',
          Choices: [
            { Condition: '{% $states.input.n > 5 %}', Assign: { size: 'big' }, Output: 'by rule', Next: 'Report' },
          ],
          Default: 'Report',
          Assign: { size: 'small' },
          Output: 'by default',
        },
        Report: { Type: 'Pass', Output: '{% [$states.input, $size] %}', End: true },
      },
    });
    const [big, small] = [await cloud.execute(machine, { n: 6 }), await cloud.execute(machine, { n: 1 })];
    expect((await cloud.ended(big)).result).toEqual(['by rule', 'big']);
    expect((await cloud.ended(small)).result).toEqual(['by default', 'small']);
  });

  it('is recorded in the history', async () => {
    const ended = await cloud.run(passThrough({ Assign: { x: '{% 1 + 1 %}' } }));
    const exited = (await cloud.history(ended.executionArn!)).find(({ type }) => type === 'PassStateExited');
    expect(exited?.stateExitedEventDetails).toMatchObject({ name: 'Only', assignedVariables: { x: '2' } });
  });
});

describe('$states.context', () => {
  it('has execution, state and machine', async () => {
    const machine = await cloud.machine(passThrough({ Output: '{% $states.context %}' }), 'context');
    const execution = await cloud.execute(machine, { a: 1 }, 'run-1');

    expect((await cloud.ended(execution)).result).toEqual({
      Execution: {
        Id: execution,
        Input: { a: 1 },
        Name: 'run-1',
        RoleArn: 'arn:aws:iam::000000000000:role/machine',
        StartTime: '2026-03-01T12:00:00.000Z',
        RedriveCount: 0,
      },
      State: { Name: 'Only', EnteredTime: '2026-03-01T12:00:00.000Z', RetryCount: 0 },
      StateMachine: { Id: machine, Name: 'context' },
    });
  });
});

describe('Choice', () => {
  const choice = (Condition: unknown) => ({
    StartAt: 'Which',
    States: { Which: { Type: 'Choice', Choices: [{ Condition, Next: 'End' }] }, End: { Type: 'Succeed' } },
  });

  it('fails with States.NoChoiceMatched without a match and a default', async () => {
    expect(await cloud.run(choice('{% false %}'))).toMatchObject({ status: 'FAILED', error: 'States.NoChoiceMatched' });
  });

  it('fails when a condition is not a boolean', async () => {
    expect(await cloud.run(choice("{% 'yes' %}"))).toMatchObject({
      status: 'FAILED',
      error: 'States.QueryEvaluationError',
    });
  });
});

describe('Fail', () => {
  it('ends the execution with its error and cause, expressions included', async () => {
    const ended = await cloud.run(
      {
        StartAt: 'No',
        States: { No: { Type: 'Fail', Error: 'Rejected', Cause: "{% 'because ' & $states.input.why %}" } },
      },
      { why: 'late' },
    );
    expect(ended).toMatchObject({ status: 'FAILED', error: 'Rejected', cause: 'because late' });
  });
});

it('an endless machine ends at 25,000 history events and does not block the process', async () => {
  const machine = await cloud.machine({
    StartAt: 'Again',
    States: {
      Again: { Type: 'Choice', Choices: [{ Condition: '{% true %}', Next: 'Again' }], Default: 'Out' },
      Out: { Type: 'Succeed' },
    },
  });
  const execution = await cloud.execute(machine);

  expect(await cloud.ended(execution)).toMatchObject({
    status: 'FAILED',
    error: 'States.Runtime',
    cause: 'The execution reached the maximum number of history events (25000).',
  });
  expect(cloud.service.transitions(machine)).toBeGreaterThan(12_000);
});
