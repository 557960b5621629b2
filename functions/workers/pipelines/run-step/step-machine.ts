import { type ComputeSize, USUAL_COMPUTE, USUAL_SIZE } from '../../../../shared/domains/pipelines/index.ts';
import { SERVICE_FAULTS } from '../run-lifecycle/run-machine.ts';
import { type AthenaQueries, queryRoutes, queryStates } from './query-states.ts';

/** Longer than the function may take, so that its own timeout is what ends it. */
const EXECUTE_TIMEOUT_SECONDS = 930;

/** Longer than a run may take: a container ends by itself, or with its run. */
const TASK_TIMEOUT_SECONDS = 25 * 60 * 60;

/** Issues of the service while it takes a task; of what becomes of the task it tells in another way. */
const TASK_FAULTS = ['ECS.ServerException', 'ECS.AmazonECSException', 'ECS.ThrottlingException'];

const AT_ANSWERED_STEP = { job: "{% $merge([$job, {'index': $answer.index}]) %}" };

/** A container is asked for by a function: which is cheap, and sees to it that there is a slot and somebody waits. */
const IN_FUNCTION = `{% $compute.engine = 'function' ? $compute : ${JSON.stringify(USUAL_COMPUTE).replaceAll('"', "'")} %}`;

/** What a container is started with: names and ARNs, or what stands for them in the template. */
export interface StepTask {
  cluster: string;
  /** The newest revision is taken, as with functions. */
  family: string;
  container: string;
  subnets: readonly string[];
  securityGroup: string;
}

/**
 * The machine of a step instance. A failed attempt is an answer, not an error: the function decides about retries, and
 * the machine only lets longer delays pass, and calls a function of another size, or starts a container, where it is told so. An
 * error means that the worker died; a function then clears up, as it does after a container that has done its work.
 */
export function stepMachineDefinition(
  functionArns: Record<ComputeSize, string>,
  task?: StepTask,
  athena?: AthenaQueries,
): object {
  return {
    Comment: 'Works on a step of a pipeline run, attempt by attempt.',
    QueryLanguage: 'JSONata',
    StartAt: 'Begin',
    States: {
      Begin: {
        Type: 'Pass',
        Assign: { job: '{% $states.input %}', functions: functionArns, compute: USUAL_COMPUTE, crash: {} },
        Next: 'Execute',
      },
      Execute: {
        Type: 'Task',
        Resource: 'arn:aws:states:::lambda:invoke',
        TimeoutSeconds: EXECUTE_TIMEOUT_SECONDS,
        Arguments: {
          FunctionName: '{% $lookup($functions, $compute.size) %}',
          Payload: {
            op: 'execute',
            job: '{% $job %}',
            execution: '{% $states.context.Execution.Name %}',
            // What this definition can be told to use: a function may be of a later deployment, with more.
            engines: [...(task ? ['container'] : []), ...(athena ? ['athena'] : [])],
          },
        },
        Retry: [
          {
            ErrorEquals: SERVICE_FAULTS,
            IntervalSeconds: 1,
            MaxAttempts: 6,
            BackoffRate: 2,
            JitterStrategy: 'FULL',
          },
        ],
        Catch: [{ ErrorEquals: ['States.ALL'], Assign: { crash: '{% $states.errorOutput %}' }, Next: 'Recover' }],
        Assign: { answer: '{% $states.result.Payload %}' },
        Next: 'Route',
      },
      Recover: {
        Type: 'Task',
        Resource: 'arn:aws:states:::lambda:invoke',
        Arguments: {
          FunctionName: functionArns[USUAL_SIZE],
          Payload: {
            op: 'recover',
            job: '{% $job %}',
            execution: '{% $states.context.Execution.Name %}',
            compute: '{% $compute %}',
            crash: '{% $crash %}',
          },
        },
        Retry: [
          { ErrorEquals: ['States.ALL'], IntervalSeconds: 1, MaxAttempts: 10, BackoffRate: 2, MaxDelaySeconds: 60 },
        ],
        Assign: { answer: '{% $states.result.Payload %}', crash: {} },
        Next: 'Route',
      },
      Route: {
        Type: 'Choice',
        Choices: [
          { Condition: "{% $answer.kind = 'again' %}", Next: 'Backoff' },
          ...(athena ? queryRoutes(AT_ANSWERED_STEP) : []),
          ...(task
            ? [
                {
                  Condition: "{% $answer.kind = 'elsewhere' and $answer.compute.engine = 'container' %}",
                  Assign: { ...AT_ANSWERED_STEP, compute: '{% $answer.compute %}' },
                  Next: 'RunTask',
                },
              ]
            : []),
          {
            Condition: "{% $answer.kind = 'elsewhere' %}",
            Assign: { ...AT_ANSWERED_STEP, compute: '{% $answer.compute %}' },
            Next: 'Execute',
          },
        ],
        Default: 'Done',
      },
      Backoff: {
        Type: 'Wait',
        Seconds: '{% $answer.waitSeconds %}',
        Assign: { ...AT_ANSWERED_STEP, compute: IN_FUNCTION },
        Next: 'Execute',
      },
      ...(task ? { RunTask: runTask(task) } : {}),
      ...(athena ? queryStates(functionArns[USUAL_SIZE], athena) : {}),
      Done: { Type: 'Succeed' },
    },
  };
}

function runTask({ cluster, family, container, subnets, securityGroup }: StepTask): object {
  return {
    Type: 'Task',
    Resource: 'arn:aws:states:::ecs:runTask.sync',
    TimeoutSeconds: TASK_TIMEOUT_SECONDS,
    Arguments: {
      Cluster: cluster,
      TaskDefinition: family,
      LaunchType: 'FARGATE',
      NetworkConfiguration: {
        AwsvpcConfiguration: { Subnets: subnets, SecurityGroups: [securityGroup], AssignPublicIp: 'ENABLED' },
      },
      Overrides: {
        ContainerOverrides: [
          {
            Name: container,
            Environment: [
              {
                Name: 'STEP_EVENT',
                Value: "{% $string({'job': $job, 'execution': $states.context.Execution.Name}) %}",
              },
            ],
          },
        ],
      },
    },
    Retry: [{ ErrorEquals: TASK_FAULTS, IntervalSeconds: 2, MaxAttempts: 3, BackoffRate: 2, JitterStrategy: 'FULL' }],
    Catch: [{ ErrorEquals: ['States.ALL'], Assign: { crash: '{% $states.errorOutput %}' }, Next: 'Recover' }],
    Next: 'Recover',
  };
}
