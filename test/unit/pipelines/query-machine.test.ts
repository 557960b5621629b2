import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../../../functions/pipelines/workers/run-step/answer.ts';
import { endStepWith } from '../../../functions/pipelines/workers/run-step/end-step.ts';
import { stepMachineDefinition } from '../../../functions/pipelines/workers/run-step/step-machine.ts';
import { ManualClock } from '../../../packages/local-cloud/index.ts';
import { FunctionFailure, TestStepFunctions } from '../../../packages/local-cloud/testing/index.ts';
import { ATHENA, withAthenaAsFunction } from './athena-as-function.ts';

const STEP = 'arn:aws:lambda:us-east-1:000000000000:function:step';
const SIZED = { small: STEP, medium: STEP, large: STEP, xlarge: STEP };
const job = { workspaceId: 'w', runId: 'r', epoch: 1, index: 3 };
const ANSWER = {
  kind: 'query',
  index: 3,
  attempt: 2,
  seconds: 60,
  creates: ['CREATE a', 'CREATE b'],
  query: 'UNLOAD',
  token: 'the-token',
  drops: ['DROP a', 'DROP b'],
};

/** The step machine; the test decides what a query receives and how it ends. */
function machine(): object {
  const definition = stepMachineDefinition(SIZED, undefined, { workGroup: 'steps' });
  return withAthenaAsFunction(definition, ({ Arguments: { QueryString, WorkGroup, ClientRequestToken } }) => {
    expect(WorkGroup).toBe('steps');
    // Tables may be made and dropped twice, rows must not be written twice.
    expect(ClientRequestToken).toBe(QueryString === '{% $query.query %}' ? '{% $query.token %}' : undefined);
  });
}

type Op = 'execute' | 'begin-query' | 'hold-query' | 'finish-query' | 'recover';

const clock = new ManualClock();
let cloud: TestStepFunctions;
let ops: Op[];
let answers: Record<Op, () => unknown>;
beforeEach(async () => {
  cloud = await TestStepFunctions.open({ clock });
  ops = [];
  answers = {
    execute: () => ({ kind: 'elsewhere', index: 3, compute: { engine: 'athena' } }),
    'begin-query': () => ANSWER,
    'hold-query': () => ({ kind: ops.includes('finish-query') ? 'over' : 'held' }),
    'finish-query': () => ({ kind: 'done' }),
    recover: () => ({ kind: 'done' }),
  };
  const endStep = endStepWith(cloud.client);
  cloud.lambda.answer(STEP, async (event) => {
    const { op, taskToken } = event as { op: Op; taskToken?: string };
    ops.push(op);
    const answer = answers[op]();
    if (taskToken) await endStep(taskToken, answer as Answer);
    return answer;
  });
  cloud.lambda.answer(ATHENA, () => null);
});
afterEach(() => cloud.dispose());

/** Lets the execution run to its end, time included. */
async function ended() {
  const execution = await cloud.execute(await cloud.machine(machine()), job, 'the-execution');
  const end = cloud.ended(execution);
  let open = true;
  void end.then(() => {
    open = false;
  });
  while (open) await clock.advance(1000);
  return end;
}

const statements = () => cloud.lambda.events(ATHENA);

describe('the machine of a step that is for Athena', () => {
  it('makes the tables, runs the query, has its rows taken over and drops the tables', async () => {
    expect(await ended()).toMatchObject({ status: 'SUCCEEDED' });
    expect(ops).toEqual(['execute', 'begin-query', 'finish-query', 'hold-query']);
    expect(statements().slice(0, 2).sort()).toEqual(['CREATE a', 'CREATE b']);
    expect(statements()[2]).toBe('UNLOAD');
    expect(statements().slice(3).sort()).toEqual(['DROP a', 'DROP b']);
    const finish = cloud.lambda.events(STEP).find((event) => (event as { op: Op }).op === 'finish-query');
    expect(finish).toEqual({ op: 'finish-query', job, execution: 'the-execution', attempt: 2 });
  });

  it('holds the attempt while the query runs', async () => {
    const { promise, resolve } = Promise.withResolvers<null>();
    cloud.lambda.answer(ATHENA, (statement) => (statement === 'UNLOAD' ? promise : null));
    answers['hold-query'] = () => {
      const holds = ops.filter((op) => op === 'hold-query').length;
      if (holds === 3) resolve(null);
      return { kind: ops.includes('finish-query') ? 'over' : 'held' };
    };
    expect(await ended()).toMatchObject({ status: 'SUCCEEDED' });
    expect(ops.filter((op) => op === 'hold-query').length).toBeGreaterThanOrEqual(3);
    expect(ops.filter((op) => op === 'finish-query')).toHaveLength(1);
  });

  it('leaves the query and drops the tables when the run is cancelled', async () => {
    cloud.lambda.answer(ATHENA, (statement) => (statement === 'UNLOAD' ? new Promise(() => undefined) : null));
    answers['hold-query'] = () => ({ kind: 'stop' });
    expect(await ended()).toMatchObject({ status: 'SUCCEEDED' });
    expect(ops).toEqual(['execute', 'begin-query', 'hold-query', 'recover']);
    expect(statements().slice(3).sort()).toEqual(['DROP a', 'DROP b']);
    expect(cloud.lambda.events(STEP).at(-1)).toMatchObject({ crash: { Error: 'Step.QueryStopped' } });
  });

  it('clears up after a query that failed, whatever becomes of the tables, and goes on with what the function answers', async () => {
    cloud.lambda.answer(ATHENA, (statement) =>
      String(statement).startsWith('CREATE')
        ? null
        : new FunctionFailure({ errorType: 'States.TaskFailed', errorMessage: 'Query failed' }),
    );
    answers.recover = () => ({ kind: 'again', index: 3, waitSeconds: 5 });
    let rounds = 0;
    answers.execute = () => {
      rounds += 1;
      return rounds === 1 ? { kind: 'elsewhere', index: 3, compute: { engine: 'athena' } } : { kind: 'done' };
    };
    expect(await ended()).toMatchObject({ status: 'SUCCEEDED' });
    expect(ops).toEqual(['execute', 'begin-query', 'recover', 'execute']);
    expect(cloud.lambda.events(STEP).at(-2)).toMatchObject({ crash: { Error: 'States.TaskFailed' } });
  });

  it('gives up a statement about a table that hangs, for which the attempt would be held', async () => {
    const never = new Promise(() => undefined);
    cloud.lambda.answer(ATHENA, (statement) => (String(statement).startsWith('CREATE') ? never : null));
    expect(await ended()).toMatchObject({ status: 'SUCCEEDED' });
    expect(ops.filter((op) => op !== 'hold-query')).toEqual(['execute', 'begin-query', 'recover']);
    expect(ops.filter((op) => op === 'hold-query').length).toBeLessThanOrEqual(30);
    expect(cloud.lambda.events(STEP).at(-1)).toMatchObject({ crash: { Error: 'States.Timeout' } });
    expect(statements().slice(-2).sort()).toEqual(['DROP a', 'DROP b']);
  });

  it('goes on with another attempt if the function that takes the rows over asks for one', async () => {
    answers['finish-query'] = () => ({ kind: 'again', index: 3, waitSeconds: 5 });
    let rounds = 0;
    answers.execute = () => {
      rounds += 1;
      return rounds === 1 ? { kind: 'elsewhere', index: 3, compute: { engine: 'athena' } } : { kind: 'done' };
    };
    expect(await ended()).toMatchObject({ status: 'SUCCEEDED' });
    expect(ops.filter((op) => op !== 'hold-query')).toEqual(['execute', 'begin-query', 'finish-query', 'execute']);
  });
});
