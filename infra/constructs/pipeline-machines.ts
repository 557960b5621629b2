import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { runMachineDefinition } from '../../functions/pipelines/workers/run-lifecycle/run-machine.ts';
import { container } from '../../functions/pipelines/workers/run-step/resources.ts';
import { stepMachineDefinition } from '../../functions/pipelines/workers/run-step/step-machine.ts';
import type { MachineName } from '../../functions/resources.ts';
import { COMPUTE_SIZES, type ComputeSize, DEFAULT_SIZE } from '../../shared/domains/pipelines/definition/index.ts';
import { type Deployment, environmentOf, grantAccess } from './access.ts';
import { pascalCase } from './construct-paths.ts';
import { nameOf } from './declared-functions.ts';
import { PipelineMachine, placeholder } from './pipeline-machine.ts';
import { StepContainers } from './step-containers.ts';
import type { StepQueries } from './step-queries.ts';

export interface PipelineMachinesProps {
  /** The functions of the deployment, by name. */
  functions: ReadonlyMap<string, IFunction>;
  deployment: Deployment;
  /** Whether steps may run in containers. */
  hasContainers: boolean;
  /** Athena; undefined when disabled. */
  queries: StepQueries | undefined;
}

const SIZES = Object.keys(COMPUTE_SIZES) as ComputeSize[];

const bySize = <T>(of: (size: ComputeSize) => T): Record<ComputeSize, T> =>
  Object.fromEntries(SIZES.map((size) => [size, of(size)])) as Record<ComputeSize, T>;

const stepFunction = (size: ComputeSize) =>
  nameOf(size === DEFAULT_SIZE ? { name: 'run-step' } : { name: 'run-step', variant: size });

/** Creates the machine of a run, and the machine of a step with its engines besides functions. */
export function makePipelineMachines(
  scope: Construct,
  props: PipelineMachinesProps,
): Record<MachineName, StateMachine> {
  const { functions, deployment, queries } = props;
  const run = new PipelineMachine(scope, 'RunMachine', {
    name: 'run',
    definition: runMachineDefinition({ runLifecycle: placeholder('RunLifecycle') }),
    functions: { RunLifecycle: functions.get('run-lifecycle')! },
  });
  const containers = props.hasContainers ? makeContainers(scope, deployment) : undefined;
  const step = new PipelineMachine(scope, 'StepMachine', {
    name: 'step',
    definition: stepMachineDefinition(
      bySize((size) => placeholder(pascalCase(stepFunction(size)))),
      containers?.definition,
      queries?.definition,
    ),
    functions: Object.fromEntries(
      SIZES.map((size) => [pascalCase(stepFunction(size)), functions.get(stepFunction(size))!]),
    ),
    values: { ...containers?.values, ...queries?.values },
  });
  containers?.grantRun(step.machine);
  queries?.grantRun(step.machine);
  return { run: run.machine, step: step.machine };
}

function makeContainers(scope: Construct, deployment: Deployment): StepContainers {
  const environment = environmentOf(scope, container, deployment);
  const containers = new StepContainers(scope, 'StepContainers', { container, environment });
  grantAccess(scope, containers.task.taskRole, container, deployment);
  return containers;
}
