import { closeRun } from '../../../functions/workers/pipelines/run-lifecycle/close-run.ts';
import { START_RETRIES } from '../../../functions/workers/pipelines/run-lifecycle/run-machine.ts';
import { startRun } from '../../../shared/domains/pipelines/runs/start-run.ts';
import type { RunJob } from '../../../shared/domains/pipelines/store/launcher.ts';
import { asProcess, Crashed, untilSurvived } from '../../support/crash.ts';
import type { RunSetup } from './run-setup.ts';

/** What the machine of a run does before it sleeps: starts the run, and closes it when that fails time and again. */
export async function driveRun({ context }: RunSetup, job: RunJob): Promise<void> {
  for (let retry = 0; retry <= START_RETRIES; retry++) {
    // Each try waits with a token of its own.
    const token = `token-${job.runId}-${job.epoch}${retry > 0 ? `-${retry}` : ''}`;
    try {
      return await asProcess(() => startRun(context, job, token));
    } catch (error) {
      if (!(error instanceof Crashed)) throw error;
    }
  }
  await untilSurvived(() => closeRun(context, job));
}
