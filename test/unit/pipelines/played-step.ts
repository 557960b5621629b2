import type { Answer } from '../../../functions/pipelines/workers/run-step/answer.ts';
import type { Hold } from '../../../functions/pipelines/workers/run-step/athena/hold.ts';
import { answerEvent, type StepEvent } from '../../../functions/pipelines/workers/run-step/step-event.ts';
import { stepMachineDefinition } from '../../../functions/pipelines/workers/run-step/step-machine.ts';
import { workInContainer } from '../../../functions/pipelines/workers/run-step/work-in-container.ts';
import {
  AwsError,
  FunctionFailure,
  type PassingTime,
  PlayedMachine,
  StateError,
} from '../../../packages/local-cloud/testing/index.ts';
import { COMPUTE_SIZES, type ComputeSize } from '../../../shared/domains/pipelines/definition/compute.ts';
import type { StepJob } from '../../../shared/domains/pipelines/store/launcher.ts';
import { asProcess, Crashed } from '../../support/crash.ts';
import { QueryFailed } from '../../support/small-athena.ts';
import { ATHENA, withAthenaAsFunction } from './athena-as-function.ts';
import { Playing } from './playing.ts';
import type { RunSetup } from './run-setup.ts';

/** The size is the name of the function. */
const FUNCTIONS = Object.fromEntries(Object.keys(COMPUTE_SIZES).map((size) => [size, size])) as Record<
  ComputeSize,
  ComputeSize
>;
const TASK = { cluster: 'c', family: 'f', container: 'main', subnets: ['subnet-1'], securityGroup: 'sg-1' };
const DEFINITION = stepMachineDefinition(FUNCTIONS, TASK, { workGroup: 'steps' });

let machine: PlayedMachine | undefined;

/** Long enough for the machine to hold the attempt once. */
const QUERY_MS = 15_000;
const KILLED = 137;

/**
 * Runs an execution of the step machine to its end, with its functions and containers in this process. Each call is a
 * process of its own, which dies where the setup says.
 */
export async function driveStep(setup: RunSetup, job: StepJob, execution: string, mayContinue: boolean): Promise<void> {
  machine ??= new PlayedMachine(withAthenaAsFunction(DEFINITION));
  const playing: Playing = new Playing(setup, {
    invoke: (name, event, time) =>
      name === ATHENA ? query(setup, event as string, time) : invoke(name, event as StepEvent),
    runTask: (input) => (setup.hasContainers() ? container(setup, input, lost) : new AwsError(...NO_CAPACITY)),
  });
  /** Of a worker whose death only the minute tick notices. */
  const lost = () => playing.lose();

  async function invoke(name: string, event: StepEvent): Promise<unknown> {
    const worker = { ...setup.worker, compute: { engine: 'function', size: name as ComputeSize } as const };
    const { op } = event;
    if (event.op === 'execute') setup.awaited.set(event.taskToken!, playing);
    try {
      const answer = await asProcess(() => answerEvent(worker, event, () => mayContinue));
      note(setup, answer);
      return answer;
    } catch (error) {
      if (!(error instanceof Crashed)) throw error;
      if (op === 'execute' && setup.notices === 'tick') return lost();
      if (op === 'execute' && setup.notices === 'service') return new AwsError('ServiceException', '', { status: 500 });
      return new FunctionFailure({ errorType: 'Runtime.ExitError', errorMessage: 'killed on purpose' });
    }
  }
  await playing.play(machine, execution, job);
}

const NO_CAPACITY = ['AmazonECSException', 'Capacity is unavailable.'] as const;

function note(setup: RunSetup, answer: Answer | Hold): void {
  if (answer.kind === 'elsewhere') setup.moved.push(answer.compute);
  if (answer.kind === 'held' || answer.kind === 'stop' || answer.kind === 'over') setup.holds.push(answer.kind);
}

async function container(setup: RunSetup, input: object, lost: () => Promise<never>): Promise<number> {
  const { overrides } = input as { overrides: { containerOverrides: [{ environment: [{ value: string }] }] } };
  const event = JSON.parse(overrides.containerOverrides[0].environment[0].value) as { job: StepJob; execution: string };
  const worker = { ...setup.worker, compute: { engine: 'container' } as const };
  setup.atWorkInContainers += 1;
  try {
    if (await setup.containerDies()) throw new Crashed();
    await asProcess(() => workInContainer(worker, event.job, event.execution));
    return 0;
  } catch (error) {
    if (!(error instanceof Crashed)) throw error;
    return setup.notices === 'tick' ? lost() : KILLED;
  } finally {
    setup.atWorkInContainers -= 1;
  }
}

async function query(setup: RunSetup, statement: string, time: PassingTime): Promise<unknown> {
  if (statement.startsWith('UNLOAD')) await time.take(QUERY_MS);
  try {
    await setup.athena!.run(statement);
    return null;
  } catch (error) {
    if (!(error instanceof QueryFailed)) throw error;
    return new StateError(error.crash.Error!, error.crash.Cause);
  }
}
