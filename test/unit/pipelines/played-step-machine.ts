import { hold } from '../../../functions/workers/pipelines/run-step/athena/hold.ts';
import { beginQuery, finishQuery } from '../../../functions/workers/pipelines/run-step/athena/on-athena.ts';
import { type Answer, execute } from '../../../functions/workers/pipelines/run-step/execute.ts';
import { QUERY_STOPPED } from '../../../functions/workers/pipelines/run-step/query-states.ts';
import { recover } from '../../../functions/workers/pipelines/run-step/recover.ts';
import { workInContainer } from '../../../functions/workers/pipelines/run-step/work-in-container.ts';
import { USUAL_COMPUTE } from '../../../shared/domains/pipelines/definition/compute.ts';
import type { StepJob } from '../../../shared/domains/pipelines/store/launcher.ts';
import { asProcess, Crashed, untilSurvived } from '../../support/crash.ts';
import { QueryFailed } from '../../support/small-athena.ts';
import type { RunPlane } from './run-plane.ts';

/** What the step machine does with one execution, from the step that it was started for to its end. */
export async function driveStep(plane: RunPlane, first: StepJob, execution: string, mayGoOn: boolean): Promise<void> {
  let job = first;
  for (;;) {
    const answer =
      plane.worker.compute.engine === 'container'
        ? await answerOfContainer(plane, job, execution)
        : plane.worker.compute.engine === 'athena'
          ? await answerOfAthena(plane, job, execution)
          : await answerOf(plane, job, execution, mayGoOn);
    if (answer.kind === 'done') return;
    if (answer.kind === 'query') throw new Error('only Athena is told queries');
    job = { ...job, index: answer.index };
    if (answer.kind === 'elsewhere') {
      plane.worker.compute = answer.compute;
      plane.moved.push(answer.compute);
      continue;
    }
    // The worker itself waits out the rest of a short delay.
    if (answer.waitSeconds > 1) plane.aheadMs += answer.waitSeconds * 1000;
  }
}

async function answerOf(plane: RunPlane, job: StepJob, execution: string, mayGoOn: boolean): Promise<Answer> {
  const work = () => execute(plane.worker, job, execution, () => mayGoOn);
  try {
    return await asProcess(work);
  } catch (error) {
    if (!(error instanceof Crashed)) throw error;
    if (plane.notices === 'tick') return { kind: 'done' };
    return untilSurvived(plane.notices === 'service' ? work : () => recoverFunction(plane, job, execution));
  }
}

/** A container tells nobody how it went; a function finds out. */
async function answerOfContainer(plane: RunPlane, job: StepJob, execution: string): Promise<Answer> {
  const compute = { engine: 'container' } as const;
  let crash = {};
  try {
    if (plane.noContainers > 0) crash = { Error: 'ECS.AmazonECSException', Cause: 'Capacity is unavailable.' };
    else if (await plane.containerDies()) throw new Crashed();
    else await asProcess(() => workInContainer(plane.worker, job, execution));
  } catch (error) {
    if (!(error instanceof Crashed)) throw error;
    crash = {
      Error: 'States.TaskFailed',
      Cause: '{"StopCode":"EssentialContainerExited","Memory":"30720","Containers":[{"ExitCode":137}]}',
    };
  }
  plane.noContainers--;
  plane.worker.compute = USUAL_COMPUTE;
  if (plane.notices === 'tick' && 'Error' in crash) return { kind: 'done' };
  return untilSurvived(() => recover(plane.worker, job, execution, { compute, crash }));
}

/** What the machine does with a query: tells Athena, holds the attempt meanwhile, and drops the tables however it ends. */
async function answerOfAthena(plane: RunPlane, job: StepJob, execution: string): Promise<Answer> {
  plane.worker.compute = USUAL_COMPUTE;
  const compute = USUAL_COMPUTE;
  let begun: Answer;
  try {
    begun = await asProcess(() => beginQuery(plane.worker, job, execution));
  } catch (error) {
    if (!(error instanceof Crashed)) throw error;
    return untilSurvived(() => recoverFunction(plane, job, execution));
  }
  if (begun.kind !== 'query') return begun;
  const { creates, query, drops, attempt } = begun;
  const at = { ...job, index: begun.index };
  try {
    for (const statement of creates) await plane.athena!.run(statement);
    const { kind } = await hold(plane.worker, { job: at, execution, attempt });
    plane.holds.push(kind);
    if (kind === 'stop') throw new QueryFailed(QUERY_STOPPED, 'The run is cancelled.');
    await plane.athena!.run(query);
    return await asProcess(() => finishQuery(plane.worker, at, execution, attempt));
  } catch (error) {
    if (!(error instanceof Crashed || error instanceof QueryFailed)) throw error;
    const crash =
      error instanceof QueryFailed ? error.crash : { Error: 'Runtime.ExitError', Cause: 'killed on purpose' };
    return untilSurvived(() => recover(plane.worker, at, execution, { compute, crash }));
  } finally {
    for (const statement of drops) await plane.athena!.run(statement);
  }
}

function recoverFunction(plane: RunPlane, job: StepJob, execution: string): Promise<Answer> {
  const crash = { Error: 'Runtime.ExitError', Cause: 'killed' };
  return recover(plane.worker, job, execution, { compute: plane.worker.compute, crash });
}
