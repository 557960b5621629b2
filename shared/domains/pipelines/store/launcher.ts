import { ExecutionAlreadyExists, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';

/** Identifies one step instance of one attempt of a run; the input of the step machine. */
export interface StepJob {
  workspaceId: string;
  runId: string;
  epoch: number;
  index: number;
}

/** The name of the execution that runs a step. */
export function executionOf({ runId, epoch, index }: StepJob, again?: string): string {
  return `${runId}-${epoch}-${index}${suffix(again)}`;
}

const suffix = (again?: string) => (again === undefined ? '' : `-${again}`);

export interface RunJob {
  workspaceId: string;
  runId: string;
  epoch: number;
}

/** Starts the executions of runs and steps. Starts are idempotent, because the name of an execution is used once. */
export interface Launcher {
  startRun(job: RunJob, again?: string): Promise<void>;
  startStep(job: StepJob, again?: string): Promise<void>;
}

export interface MachineArns {
  run: string;
  step: string;
}

/** Starts come in bursts and their quota refills every second, so throttled starts are retried for some seconds. */
const MAX_ATTEMPTS = 6;

export function launcher(machines: MachineArns, client = new SFNClient({ maxAttempts: MAX_ATTEMPTS })): Launcher {
  async function start(stateMachineArn: string, name: string, input: object): Promise<void> {
    try {
      await client.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }));
    } catch (error) {
      // The execution has run and ended already.
      if (!(error instanceof ExecutionAlreadyExists)) throw error;
    }
  }
  return {
    startRun: (job, again) => start(machines.run, `${job.runId}-${job.epoch}${suffix(again)}`, job),
    startStep: (job, again) => start(machines.step, executionOf(job, again), job),
  };
}
