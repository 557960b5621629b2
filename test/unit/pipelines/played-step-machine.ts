import type { Answer } from '../../../functions/workers/pipelines/run-step/answer.ts';
import { hold } from '../../../functions/workers/pipelines/run-step/athena/hold.ts';
import { beginQuery, finishQuery } from '../../../functions/workers/pipelines/run-step/athena/on-athena.ts';
import { execute } from '../../../functions/workers/pipelines/run-step/execute.ts';
import { QUERY_STOPPED } from '../../../functions/workers/pipelines/run-step/query-states.ts';
import { recover } from '../../../functions/workers/pipelines/run-step/recover.ts';
import { workInContainer } from '../../../functions/workers/pipelines/run-step/work-in-container.ts';
import { DEFAULT_COMPUTE } from '../../../shared/domains/pipelines/definition/compute.ts';
import type { StepJob } from '../../../shared/domains/pipelines/store/launcher.ts';
import { asProcess, Crashed, untilSurvived } from '../../support/crash.ts';
import { QueryFailed } from '../../support/small-athena.ts';
import type { RunSetup } from './run-setup.ts';

/** What the step machine does with one execution, from the step that it was started for to its end. */
export async function driveStep(
  setup: RunSetup,
  first: StepJob,
  execution: string,
  mayContinue: boolean,
): Promise<void> {
  let job = first;
  for (;;) {
    const answer =
      setup.worker.compute.engine === 'container'
        ? await answerOfContainer(setup, job, execution)
        : setup.worker.compute.engine === 'athena'
          ? await answerOfAthena(setup, job, execution)
          : await answerOf(setup, job, execution, mayContinue);
    if (answer.kind === 'done') return;
    if (answer.kind === 'query') throw new Error('only Athena receives queries');
    job = { ...job, index: answer.index };
    if (answer.kind === 'elsewhere') {
      setup.worker.compute = answer.compute;
      setup.moved.push(answer.compute);
      continue;
    }
    // The worker itself waits out the rest of a short delay.
    if (answer.waitSeconds > 1) setup.aheadMs += answer.waitSeconds * 1000;
  }
}

async function answerOf(setup: RunSetup, job: StepJob, execution: string, mayContinue: boolean): Promise<Answer> {
  const work = () => execute(setup.worker, job, execution, () => mayContinue);
  try {
    return await asProcess(work);
  } catch (error) {
    if (!(error instanceof Crashed)) throw error;
    if (setup.notices === 'tick') return { kind: 'done' };
    return untilSurvived(setup.notices === 'service' ? work : () => recoverFunction(setup, job, execution));
  }
}

/** A container does not report its result; a function reads it. */
async function answerOfContainer(setup: RunSetup, job: StepJob, execution: string): Promise<Answer> {
  const compute = { engine: 'container' } as const;
  let crash = {};
  try {
    if (setup.noContainers > 0) crash = { Error: 'ECS.AmazonECSException', Cause: 'Capacity is unavailable.' };
    else if (await setup.containerDies()) throw new Crashed();
    else await asProcess(() => workInContainer(setup.worker, job, execution));
  } catch (error) {
    if (!(error instanceof Crashed)) throw error;
    crash = {
      Error: 'States.TaskFailed',
      Cause: '{"StopCode":"EssentialContainerExited","Memory":"30720","Containers":[{"ExitCode":137}]}',
    };
  }
  setup.noContainers--;
  setup.worker.compute = DEFAULT_COMPUTE;
  if (setup.notices === 'tick' && 'Error' in crash) return { kind: 'done' };
  return untilSurvived(() => recover(setup.worker, job, execution, { compute, crash }));
}

/** What the machine does with a query: tells Athena, holds the attempt meanwhile, and drops the tables however it ends. */
async function answerOfAthena(setup: RunSetup, job: StepJob, execution: string): Promise<Answer> {
  setup.worker.compute = DEFAULT_COMPUTE;
  const compute = DEFAULT_COMPUTE;
  let begun: Answer;
  try {
    begun = await asProcess(() => beginQuery(setup.worker, job, execution));
  } catch (error) {
    if (!(error instanceof Crashed)) throw error;
    return untilSurvived(() => recoverFunction(setup, job, execution));
  }
  if (begun.kind !== 'query') return begun;
  const { creates, query, drops, attempt } = begun;
  const at = { ...job, index: begun.index };
  try {
    for (const statement of creates) await setup.athena!.run(statement);
    const { kind } = await hold(setup.worker, { job: at, execution, attempt });
    setup.holds.push(kind);
    if (kind === 'stop') throw new QueryFailed(QUERY_STOPPED, 'The run is cancelled.');
    await setup.athena!.run(query);
    return await asProcess(() => finishQuery(setup.worker, at, execution, attempt));
  } catch (error) {
    if (!(error instanceof Crashed || error instanceof QueryFailed)) throw error;
    const crash =
      error instanceof QueryFailed ? error.crash : { Error: 'Runtime.ExitError', Cause: 'killed on purpose' };
    return untilSurvived(() => recover(setup.worker, at, execution, { compute, crash }));
  } finally {
    for (const statement of drops) await setup.athena!.run(statement);
  }
}

function recoverFunction(setup: RunSetup, job: StepJob, execution: string): Promise<Answer> {
  const crash = { Error: 'Runtime.ExitError', Cause: 'killed' };
  return recover(setup.worker, job, execution, { compute: setup.worker.compute, crash });
}
