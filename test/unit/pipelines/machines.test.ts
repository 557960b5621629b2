import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import aslValidator from 'asl-validator';
import jsonata from 'jsonata';
import { describe, expect, it } from 'vitest';
import { runMachineDefinition } from '../../../functions/pipelines/workers/run-lifecycle/run-machine.ts';
import { stepMachineDefinition } from '../../../functions/pipelines/workers/run-step/step-machine.ts';
import { within } from '../../../functions/pipelines/workers/run-step/worker.ts';
import { DEFAULT_COMPUTE } from '../../../shared/domains/pipelines/definition/compute.ts';

const ARN = 'arn:aws:lambda:us-east-1:000000000000:function:f';
const run = runMachineDefinition({ runLifecycle: ARN }) as Machine;
const SIZED = { small: `${ARN}-small`, medium: ARN, large: `${ARN}-large`, xlarge: `${ARN}-xlarge` };
const TASK = { cluster: 'c', family: 'f', container: 'main', subnets: ['subnet-1', 'subnet-2'], securityGroup: 'sg-1' };
const step = stepMachineDefinition(SIZED, TASK) as Machine;
const withAthena = stepMachineDefinition(SIZED, TASK, { workGroup: 'steps' }) as Machine;
const withoutContainers = stepMachineDefinition(SIZED) as Machine;

interface Rule {
  Condition: string;
  Assign?: unknown;
  Next: string;
}

interface Machine {
  States: Record<
    string,
    {
      Type: string;
      Arguments?: { FunctionName: unknown; Payload: unknown };
      End?: boolean;
      Assign?: unknown;
      Choices?: Rule[];
      Catch?: { ErrorEquals: string[]; Next: string; Assign?: Record<string, unknown> }[];
    }
  >;
}

const sample = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../events', `${name}.json`), 'utf8')) as {
    job: object;
    taskToken: string;
    execution: string;
    compute: object;
    crash: object;
  };

/** What a template of the machine becomes, as Step Functions evaluates it. */
async function evaluate(template: unknown, variables: Record<string, unknown>): Promise<unknown> {
  if (typeof template === 'string') {
    const expression = /^\{%([\s\S]*)%\}$/.exec(template)?.[1];
    return expression ? jsonata(expression).evaluate({}, variables) : template;
  }
  if (Array.isArray(template)) return Promise.all(template.map((item) => evaluate(item, variables)));
  if (typeof template !== 'object' || template === null) return template;
  const members = await Promise.all(
    Object.entries(template).map(async ([name, value]) => [name, await evaluate(value, variables)] as const),
  );
  return Object.fromEntries(members);
}

/** The rule that the step machine takes for an answer of its function. */
async function ruleFor(answer: object, machine = step): Promise<Rule> {
  for (const rule of machine.States.Route!.Choices!) {
    if ((await evaluate(rule.Condition, { answer })) === true) return rule;
  }
  throw new Error('no rule is for this answer');
}

describe('the state machines', () => {
  it.each([
    ['run', run],
    ['step', step],
    ['step, without containers', withoutContainers],
    ['step, with Athena', withAthena],
  ])('are valid: %s', (_name, definition) => {
    expect((aslValidator as (definition: object) => object)(definition)).toMatchObject({ isValid: true, errors: [] });
  });

  it('call their functions with the events that these are written for', async () => {
    const start = sample('run-lifecycle.start');
    const states = { input: start.job, context: { Execution: { Input: start.job } } };
    expect(await evaluate(run.States.Run!.Arguments!.Payload, { states })).toEqual(start);
    expect(await evaluate(run.States.Close!.Arguments!.Payload, { states })).toEqual(sample('run-lifecycle.close'));

    const { job, execution, compute, crash } = sample('run-step.recover');
    const context = { Execution: { Name: execution }, Task: { Token: sample('run-step.execute').taskToken } };
    const variables = { job, compute, crash, states: { input: job, context } };
    for (const state of ['Begin', 'Execute']) {
      expect(await evaluate(step.States[state]!.Arguments!.Payload, variables)).toEqual(sample('run-step.execute'));
    }
    expect(await evaluate(step.States.Recover!.Arguments!.Payload, variables)).toEqual(sample('run-step.recover'));
  });

  it('fail a run whose start fails, and leave one for which no function is free to the minute tick', () => {
    const nextOf = (error: string) => {
      const { Next } = run.States.Run!.Catch!.find(({ ErrorEquals }) =>
        ErrorEquals.some((name) => name === error || name === 'States.ALL'),
      )!;
      return [Next, run.States[Next]!.Type];
    };
    expect(nextOf('Lambda.TooManyRequestsException')).toEqual(['Later', 'Succeed']);
    expect(nextOf('Lambda.Unknown')).toEqual(['Close', 'Task']);
    expect(nextOf('States.Timeout')).toEqual(['Close', 'Task']);
  });

  it('end with the call of the function, which names what else is to follow in a failure of the task', async () => {
    const { job } = sample('run-step.execute');
    const answer = { kind: 'again', index: 7, waitSeconds: 3 };
    const parse = JSON.parse;
    for (const name of ['Begin', 'Execute']) {
      const { End, Catch } = step.States[name]!;
      expect(End).toBe(true);
      const [continues, crashed] = Catch!;
      expect([continues!.ErrorEquals, continues!.Next]).toEqual([['Step.Continues'], 'Route']);
      const states = { input: job, errorOutput: { Error: 'Step.Continues', Cause: JSON.stringify(answer) } };
      const assigned = {
        ...(name === 'Begin' ? { job, functions: SIZED, compute: DEFAULT_COMPUTE, crash: {} } : {}),
        answer,
      };
      expect(await evaluate(continues!.Assign, { states, parse })).toEqual(assigned);
      expect([crashed!.ErrorEquals, crashed!.Next]).toEqual([['States.ALL'], 'Recover']);
      expect(await evaluate(crashed!.Assign, { states, parse })).toHaveProperty('crash', states.errorOutput);
    }
  });

  it('pass the engines that they know to the function, which then uses no others', async () => {
    const all = { extra: new Set(['container']), athena: { database: 'steps', bucket: 'data', fromBytes: 1 } } as never;
    const engines = (machine: object) =>
      (machine as typeof step).States.Execute!.Arguments!.Payload as unknown as { engines: string[] };
    for (const [machine, known] of [
      [step, ['container']],
      [withoutContainers, []],
    ] as const) {
      expect(engines(machine).engines).toEqual(known);
      expect(within(all, known)).toEqual({ extra: new Set(known) });
    }
    expect(within(all, engines(withAthena).engines)).toHaveProperty('athena');
    // Of an execution that began before its definition reported it.
    expect(within(all, undefined)).toEqual({ extra: new Set() });
  });

  it('go on with the step that the function names, and with what it names for the step', async () => {
    const { job } = sample('run-step.execute');
    const answer = { kind: 'again', index: 7, waitSeconds: 3 };
    for (const [compute, next] of [
      [
        { engine: 'function', size: 'large' },
        { engine: 'function', size: 'large' },
      ],
      [{ engine: 'container' }, DEFAULT_COMPUTE],
    ]) {
      expect(await evaluate(step.States.Backoff!.Assign, { job, answer, compute })).toEqual({
        job: { ...job, index: 7 },
        compute: next,
      });
    }

    const compute = { engine: 'function', size: 'large' };
    const elsewhere = { kind: 'elsewhere', index: 7, compute };
    const { Next, Assign } = await ruleFor(elsewhere);
    expect(Next).toBe('Execute');
    expect(await evaluate(Assign, { job, answer: elsewhere })).toEqual({ job: { ...job, index: 7 }, compute });
    const target = step.States.Execute!.Arguments!.FunctionName;
    expect(await evaluate(target, { functions: SIZED, compute })).toBe(SIZED.large);
  });

  it('start a container with the step where the function asks for one, if there are any', async () => {
    const { job, execution } = sample('run-step.execute');
    const elsewhere = { kind: 'elsewhere', index: 0, compute: { engine: 'container' } };
    const { Next, Assign } = await ruleFor(elsewhere);
    expect(Next).toBe('RunTask');
    expect(await evaluate(Assign, { job, answer: elsewhere })).toEqual({ job, compute: elsewhere.compute });
    const variables = { job, states: { context: { Execution: { Name: execution } } } };
    const { Overrides } = (await evaluate(step.States.RunTask!.Arguments, variables)) as {
      Overrides: { ContainerOverrides: [{ Environment: [{ Name: string; Value: string }] }] };
    };
    const [variable] = Overrides.ContainerOverrides[0].Environment;
    expect(variable.Name).toBe('STEP_EVENT');
    expect(JSON.parse(variable.Value)).toEqual({ job, execution });
    expect(Object.keys(withoutContainers.States)).not.toContain('RunTask');
  });

  it('have an attempt begun for Athena, pass Athena what the function answers, and clean up where that fails', async () => {
    const { job } = sample('run-step.execute');
    const elsewhere = { kind: 'elsewhere', index: 7, compute: { engine: 'athena' } };
    const moved = await ruleFor(elsewhere, withAthena);
    expect(moved.Next).toBe('BeginQuery');
    expect(await evaluate(moved.Assign, { job, answer: elsewhere })).toEqual({ job: { ...job, index: 7 } });

    const answer = { kind: 'query', index: 7, attempt: 2, seconds: 60, creates: ['C'], query: 'Q', drops: ['D'] };
    const reported = await ruleFor(answer, withAthena);
    expect(reported.Next).toBe('OnAthena');
    expect(await evaluate(reported.Assign, { job, answer })).toEqual({ job: { ...job, index: 7 }, query: answer });
    const [ended] = withAthena.States.HasEnded!.Choices!;
    expect(await evaluate(ended!.Condition, { crash: {} })).toBe(false);
    expect(await evaluate(ended!.Condition, { crash: { Error: 'States.TaskFailed' } })).toBe(true);
    expect(Object.keys(step.States)).not.toContain('OnAthena');
  });
});
