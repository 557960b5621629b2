import { CreateStateMachineCommand, ValidateStateMachineDefinitionCommand } from '@aws-sdk/client-sfn';
import validate from 'asl-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLE, TestStepFunctions } from '../../testing/step-functions.ts';

let cloud: TestStepFunctions;
beforeAll(async () => {
  cloud = await TestStepFunctions.open();
});
afterAll(() => cloud.dispose());

const invoke = 'arn:aws:states:::lambda:invoke';
const one = (state: object) => ({ StartAt: 'A', States: { A: state } });
const task = (fields: object = {}) =>
  one({ Type: 'Task', Resource: invoke, Arguments: { FunctionName: 'f' }, End: true, ...fields });
const pass = { Type: 'Pass', End: true };
const item = { StartAt: 'Item', States: { Item: pass } };

const VALID: [string, object][] = [
  ['a Pass state', one(pass)],
  ['a comment, a version and a time limit', { Comment: 'c', Version: '1.0', TimeoutSeconds: 5, ...one(pass) }],
  [
    'a task with everything',
    {
      StartAt: 'A',
      States: {
        A: {
          ...task().States.A,
          Comment: 'calls',
          TimeoutSeconds: '{% $states.input.t %}',
          HeartbeatSeconds: 5,
          Assign: { x: '{% $states.result.Payload %}' },
          Output: '{% $states.result %}',
          Retry: [
            {
              ErrorEquals: ['E'],
              IntervalSeconds: 1,
              MaxAttempts: 2,
              BackoffRate: 1.5,
              MaxDelaySeconds: 9,
              JitterStrategy: 'FULL',
            },
          ],
          Catch: [{ ErrorEquals: ['States.ALL'], Assign: { e: '{% $states.errorOutput %}' }, Next: 'B' }],
        },
        B: { Type: 'Fail', Error: 'E', Cause: '{% $e.Cause %}' },
      },
    },
  ],
  [
    'a plain function ARN',
    one({ Type: 'Task', Resource: 'arn:aws:lambda:us-east-1:000000000000:function:f', End: true }),
  ],
  [
    'a choice',
    {
      StartAt: 'A',
      States: {
        A: { Type: 'Choice', Choices: [{ Condition: '{% $states.input.x > 1 %}', Next: 'B' }], Default: 'B' },
        B: { Type: 'Succeed' },
      },
    },
  ],
  ['a wait until an instant', one({ Type: 'Wait', Timestamp: '2026-01-01T00:00:00Z', End: true })],
  ['parallel branches', one({ Type: 'Parallel', Branches: [item], End: true })],
  [
    'an inline map',
    one({
      Type: 'Map',
      Items: '{% $states.input %}',
      MaxConcurrency: 2,
      ItemSelector: { v: 1 },
      ItemProcessor: { ProcessorConfig: { Mode: 'INLINE' }, ...item },
      End: true,
    }),
  ],
];

/** Each with a part of the message, and whether the independent validator finds the issue too. */
const INVALID: [string, object, string, 'both' | 'ours'][] = [
  ['no StartAt', { States: { A: pass } }, "'StartAt' is required", 'both'],
  ['no states', { StartAt: 'A', States: {} }, 'at least one state', 'both'],
  ['StartAt without a state', { StartAt: 'X', States: { A: pass } }, "Missing 'StartAt' target: X at /StartAt", 'both'],
  [
    'Next without a state',
    { StartAt: 'A', States: { A: { Type: 'Pass', Next: 'X' }, B: pass } },
    "Missing 'Next' target: X at /States/A/Next",
    'both',
  ],
  [
    'a catcher without a target',
    task({ Catch: [{ ErrorEquals: ['States.ALL'], Next: 'X' }] }),
    "Missing 'Catch[0]/Next' target: X at /States/A",
    'both',
  ],
  [
    'an unreachable state',
    { StartAt: 'A', States: { A: pass, B: pass } },
    'State "B" is not reachable. at /States/B',
    'both',
  ],
  ['no way to end', { StartAt: 'A', States: { A: { Type: 'Pass', Next: 'A' } } }, 'no terminal state', 'both'],
  [
    'Next and End',
    one({ Type: 'Pass', Next: 'A', End: true }),
    "Exactly one of 'Next' and 'End' is required at /States/A",
    'both',
  ],
  ['an unknown type', one({ Type: 'Loop', End: true }), "'A' has the unknown type 'Loop' at /States/A/Type", 'both'],
  [
    'an unknown field',
    one({ ...pass, Retries: 3 }),
    "'Retries' is not supported in the Pass state 'A' at /States/A/Retries",
    'both',
  ],
  ['a JSONPath field', one({ ...pass, ResultPath: '$.x' }), "'ResultPath' belongs to JSONPath", 'both'],
  [
    'JSONPath in one state',
    one({ ...pass, QueryLanguage: 'JSONPath' }),
    'does not run JSONPath at /States/A/QueryLanguage',
    'ours',
  ],
  [
    'a malformed expression',
    one({ ...pass, Output: '{% 1 + %}' }),
    "The JSONata expression '1 +' in the field 'Output' is invalid",
    'both',
  ],
  [
    'a malformed expression inside',
    task({ Arguments: { FunctionName: 'f', Payload: { a: ['{% ( %}'] } } }),
    "'Arguments/Payload/a[0]' is invalid",
    'ours',
  ],
  [
    'an unsupported integration',
    task({ Resource: 'arn:aws:states:::dynamodb:getItem' }),
    "'arn:aws:states:::dynamodb:getItem' is not supported",
    'ours',
  ],
  [
    'an unsupported pattern',
    task({ Resource: 'arn:aws:states:::states:startExecution.sync' }),
    'startExecution.sync',
    'ours',
  ],
  [
    'an unsupported argument',
    task({ Arguments: { FunctionName: 'f', LogType: 'Tail' } }),
    "'LogType' is not supported in the arguments of lambda:invoke",
    'ours',
  ],
  ['a missing argument', task({ Arguments: { Payload: {} } }), "'FunctionName' is required", 'ours'],
  ['credentials', task({ Credentials: { RoleArn: ROLE } }), "'Credentials' is not supported", 'ours'],
  ['a token that goes nowhere', task({ Resource: `${invoke}.waitForTaskToken` }), 'task token', 'ours'],
  [
    'a dynamic retry interval',
    task({ Retry: [{ ErrorEquals: ['E'], IntervalSeconds: '{% 1 %}' }] }),
    "'IntervalSeconds' must be a whole number",
    'both',
  ],
  [
    'States.ALL before others',
    task({ Retry: [{ ErrorEquals: ['States.ALL'] }, { ErrorEquals: ['E'] }] }),
    'alone and in the last entry',
    'ours',
  ],
  [
    'an invented States error',
    task({ Retry: [{ ErrorEquals: ['States.Oops'] }] }),
    "'States.Oops' is not an error name",
    'ours',
  ],
  [
    'two durations',
    one({ Type: 'Wait', Seconds: 1, Timestamp: '2026-01-01T00:00:00Z', End: true }),
    "Exactly one of 'Seconds' and 'Timestamp'",
    'both',
  ],
  ['a date for an instant', one({ Type: 'Wait', Timestamp: '2026-01-01', End: true }), 'RFC 3339', 'both'],
  [
    'a distributed map',
    one({
      Type: 'Map',
      ItemProcessor: { ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' }, ...item },
      End: true,
    }),
    "map mode 'DISTRIBUTED' is not supported",
    'ours',
  ],
  [
    'an item reader',
    one({ Type: 'Map', ItemReader: { Resource: 'arn:aws:states:::s3:getObject' }, ItemProcessor: item, End: true }),
    "'ItemReader' is not supported",
    'ours',
  ],
  [
    'a state name used twice',
    one({ Type: 'Parallel', Branches: [{ StartAt: 'A', States: { A: pass } }], End: true }),
    "named 'A' exists already",
    'both',
  ],
  [
    'an outer variable assigned inside',
    one({
      Type: 'Parallel',
      Assign: { v: 1 },
      Branches: [{ StartAt: 'B', States: { B: { ...pass, Assign: { v: 2 } } } }],
      End: true,
    }),
    "'v' is assigned in an outer scope",
    'ours',
  ],
  ['the reserved variable', one({ ...pass, Assign: { states: 1 } }), "'states' is reserved", 'ours'],
];

const written = (definition: object) => ({ QueryLanguage: 'JSONata', ...definition });
const create = (definition: string, more: object = {}) =>
  cloud.client.send(new CreateStateMachineCommand({ name: 'rejected', roleArn: ROLE, definition, ...more }));

describe('a definition is accepted', () => {
  it.each(VALID)('with %s, as by an independent validator', async (_what, definition) => {
    expect(await cloud.machine(definition)).toMatch(/stateMachine:machine-/);
    const verdict = validate(structuredClone(written(definition)));
    expect(verdict.errorsText()).toBe('');
  });
});

describe('a definition is rejected', () => {
  it.each(INVALID)('with %s', async (_what, definition, message, seenBy) => {
    await expect(create(JSON.stringify(written(definition)))).rejects.toMatchObject({
      name: 'InvalidDefinition',
      message: expect.stringContaining(message),
    });
    if (seenBy === 'both') expect(validate(structuredClone(written(definition))).isValid).toBe(false);
  });

  it('that is not JSON, or larger than 1 MB', async () => {
    await expect(create('{')).rejects.toMatchObject({ name: 'InvalidDefinition' });
    await expect(create(`${JSON.stringify(written(one(pass)))}${' '.repeat(1_048_576)}`)).rejects.toMatchObject({
      message: expect.stringContaining('larger than 1048576 bytes'),
    });
  });

  it('without QueryLanguage JSONata, by name', async () => {
    await expect(create(JSON.stringify(one(pass)))).rejects.toMatchObject({
      message: expect.stringContaining(
        "QueryLanguage must be 'JSONata': the local cloud does not run JSONPath at /QueryLanguage",
      ),
    });
  });

  it('with all its issues together', async () => {
    const invalid = {
      StartAt: 'A',
      States: { A: { Type: 'Pass', Next: 'X', Output: '{% ) %}' }, B: { Type: 'Loop' } },
    };
    const { result, diagnostics } = await cloud.client.send(
      new ValidateStateMachineDefinitionCommand({ definition: JSON.stringify(written(invalid)) }),
    );
    expect(result).toBe('FAIL');
    expect(diagnostics!.map(({ location }) => location)).toEqual(['/States/A/Output', '/States/B/Type']);
  });
});
