import { closeRun } from '../../../functions/pipelines/workers/run-lifecycle/close-run.ts';
import type { LifecycleEvent } from '../../../functions/pipelines/workers/run-lifecycle/handler.ts';
import { runMachineDefinition } from '../../../functions/pipelines/workers/run-lifecycle/run-machine.ts';
import { FunctionFailure, PlayedMachine } from '../../../packages/local-cloud/testing/index.ts';
import { startRun } from '../../../shared/domains/pipelines/runs/start-run.ts';
import type { RunJob } from '../../../shared/domains/pipelines/store/launcher.ts';
import { asProcess, Crashed } from '../../support/crash.ts';
import { Playing } from './playing.ts';
import type { RunSetup } from './run-setup.ts';

type RunEvent = Extract<LifecycleEvent, { op: string }>;

let machine: PlayedMachine | undefined;

/** Runs an execution of the run machine to its end, with its function in this process. */
export async function driveRun(setup: RunSetup, job: RunJob): Promise<void> {
  machine ??= new PlayedMachine(runMachineDefinition({ runLifecycle: 'run-lifecycle' }));
  const { context } = setup;
  const playing = new Playing(setup, {
    invoke: async (_name, asked) => {
      const event = asked as RunEvent;
      try {
        return await asProcess(() => (event.op === 'start' ? startRun : closeRun)(context, event.job));
      } catch (error) {
        if (!(error instanceof Crashed)) throw error;
        return new FunctionFailure({ errorType: 'Runtime.ExitError', errorMessage: 'killed on purpose' });
      }
    },
  });
  await playing.play(machine, `${job.runId}-${job.epoch}`, job);
}
