import { closeRun } from '../../../functions/workers/pipelines/run-lifecycle/close-run.ts';
import type { LifecycleEvent } from '../../../functions/workers/pipelines/run-lifecycle/handler.ts';
import { runMachineDefinition } from '../../../functions/workers/pipelines/run-lifecycle/run-machine.ts';
import { FunctionFailure, PlayedMachine } from '../../../infra/local-cloud/testing/index.ts';
import { startRun } from '../../../shared/domains/pipelines/runs/start-run.ts';
import type { RunJob } from '../../../shared/domains/pipelines/store/launcher.ts';
import { asProcess, Crashed } from '../../support/crash.ts';
import { Playing } from './playing.ts';
import type { RunSetup } from './run-setup.ts';

type RunEvent = Extract<LifecycleEvent, { op: string }>;

let machine: PlayedMachine | undefined;

/** Runs an execution of the run machine until it sleeps, with its function in this process, or to its end. */
export async function driveRun(setup: RunSetup, job: RunJob): Promise<void> {
  machine ??= new PlayedMachine(runMachineDefinition({ runLifecycle: 'run-lifecycle' }));
  const { context } = setup;
  const playing: Playing = new Playing(setup, {
    invoke: async (_name, asked) => {
      const event = asked as RunEvent;
      try {
        if (event.op === 'close') return await asProcess(() => closeRun(context, event.job));
        setup.awaited.set(event.taskToken, playing);
        return await asProcess(() => startRun(context, event.job, event.taskToken));
      } catch (error) {
        if (!(error instanceof Crashed)) throw error;
        if (event.op === 'start') setup.awaited.delete(event.taskToken);
        return new FunctionFailure({ errorType: 'Runtime.ExitError', errorMessage: 'killed on purpose' });
      }
    },
  });
  await playing.play(machine, `${job.runId}-${job.epoch}`, job);
}
