import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import aslValidator from 'asl-validator';
import jsonata from 'jsonata';
import { describe, expect, it } from 'vitest';
import { runMachineDefinition } from '../../../functions/workers/run-lifecycle/run-machine.ts';
import { stepMachineDefinition } from '../../../functions/workers/run-step/step-machine.ts';

const ARN = 'arn:aws:lambda:us-east-1:000000000000:function:f';
const run = runMachineDefinition({ runLifecycle: ARN }) as Machine;
const SIZED = { small: `${ARN}-small`, medium: ARN, large: `${ARN}-large`, xlarge: `${ARN}-xlarge` };
const step = stepMachineDefinition(SIZED) as Machine;

interface Machine {
  States: Record<string, { Arguments?: { FunctionName: unknown; Payload: unknown }; Assign?: unknown }>;
}

const sample = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../events', `${name}.json`), 'utf8')) as {
    job: object;
    taskToken: string;
    execution: string;
    crash: object;
  };

/** What a template of the machine becomes, as Step Functions evaluates it. */
async function evaluate(template: unknown, variables: Record<string, unknown>): Promise<unknown> {
  if (typeof template === 'string') {
    const expression = /^\{%([\s\S]*)%\}$/.exec(template)?.[1];
    return expression ? jsonata(expression).evaluate({}, variables) : template;
  }
  if (typeof template !== 'object' || template === null) return template;
  const members = await Promise.all(
    Object.entries(template).map(async ([name, value]) => [name, await evaluate(value, variables)] as const),
  );
  return Object.fromEntries(members);
}

describe('the state machines', () => {
  it.each([
    ['run', run],
    ['step', step],
  ])('are sound: %s', (_name, definition) => {
    expect((aslValidator as (definition: object) => object)(definition)).toMatchObject({ isValid: true, errors: [] });
  });

  it('call their functions with the events that these are written for', async () => {
    const start = sample('run-lifecycle.start');
    const states = { input: start.job, context: { Task: { Token: start.taskToken }, Execution: { Input: start.job } } };
    expect(await evaluate(run.States.Run!.Arguments!.Payload, { states })).toEqual(start);
    expect(await evaluate(run.States.Close!.Arguments!.Payload, { states })).toEqual(sample('run-lifecycle.close'));

    const { job, execution, crash } = sample('run-step.recover');
    const variables = { job, crash, states: { context: { Execution: { Name: execution } } } };
    expect(await evaluate(step.States.Execute!.Arguments!.Payload, variables)).toEqual(sample('run-step.execute'));
    expect(await evaluate(step.States.Recover!.Arguments!.Payload, variables)).toEqual(sample('run-step.recover'));
  });

  it('go on with the step that the function names, in a function of the size that it names', async () => {
    const { job } = sample('run-step.execute');
    const answer = { kind: 'again', index: 7, waitSeconds: 3 };
    expect(await evaluate(step.States.Backoff!.Assign, { job, answer })).toEqual({ job: { ...job, index: 7 } });

    const elsewhere = { kind: 'elsewhere', index: 7, size: 'large' };
    const resized = await evaluate(step.States.Resize!.Assign, { job, answer: elsewhere });
    expect(resized).toEqual({ job: { ...job, index: 7 }, size: 'large' });
    const target = step.States.Execute!.Arguments!.FunctionName;
    expect(await evaluate(target, { functions: SIZED, size: 'large' })).toBe(SIZED.large);
  });
});
