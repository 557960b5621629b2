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

interface Rule {
  Condition: string;
  Assign?: unknown;
  Next: string;
}

interface Machine {
  States: Record<
    string,
    { Arguments?: { FunctionName: unknown; Payload: unknown }; Assign?: unknown; Choices?: Rule[] }
  >;
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

/** The rule that the step machine takes for an answer of its function. */
async function ruleFor(answer: object): Promise<Rule> {
  for (const rule of step.States.Route!.Choices!) {
    if ((await evaluate(rule.Condition, { answer })) === true) return rule;
  }
  throw new Error('no rule is for this answer');
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

  it('go on with the step that the function names, and with what it names for the step', async () => {
    const { job } = sample('run-step.execute');
    const answer = { kind: 'again', index: 7, waitSeconds: 3 };
    expect(await evaluate(step.States.Backoff!.Assign, { job, answer })).toEqual({ job: { ...job, index: 7 } });

    const compute = { engine: 'function', size: 'large' };
    const elsewhere = { kind: 'elsewhere', index: 7, compute };
    const { Next, Assign } = await ruleFor(elsewhere);
    expect(Next).toBe('Execute');
    expect(await evaluate(Assign, { job, answer: elsewhere })).toEqual({ job: { ...job, index: 7 }, compute });
    const target = step.States.Execute!.Arguments!.FunctionName;
    expect(await evaluate(target, { functions: SIZED, compute })).toBe(SIZED.large);
  });
});
