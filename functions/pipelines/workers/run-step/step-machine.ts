import {
  type ComputeSize,
  DEFAULT_COMPUTE,
  DEFAULT_SIZE,
} from '../../../../shared/domains/pipelines/definition/index.ts';
import { SERVICE_ERRORS } from '../run-lifecycle/run-machine.ts';
import { STEP_CONTINUES } from './answer.ts';
import { type AthenaQueries, queryRoutes, queryStates } from './query-states.ts';

/** Longer than the timeout of the function, which ends it first. */
const EXECUTE_TIMEOUT_SECONDS = 930;

/** Longer than a run: a container ends by itself, or with its run. */
const TASK_TIMEOUT_SECONDS = 25 * 60 * 60;

/** Errors of the service when it starts a task; errors of the task itself arrive in another way. */
const TASK_ERRORS = ['ECS.ServerException', 'ECS.AmazonECSException', 'ECS.ThrottlingException'];

const AT_ANSWERED_STEP = { job: "{% $merge([$job, {'index': $answer.index}]) %}" };

/** A function, which is cheap, reserves a slot before a container starts. */
const IN_FUNCTION = `{% $compute.engine = 'function' ? $compute : ${JSON.stringify(DEFAULT_COMPUTE).replaceAll('"', "'")} %}`;

/** The parameters of a container: names and ARNs, or their placeholders in the template. */
export interface StepTask {
  cluster: string;
  /** The newest revision is used, as with functions. */
  family: string;
  container: string;
  subnets: readonly string[];
  securityGroup: string;
}

/**
 * The state machine of a step instance. A failed attempt is a result, not an error: the function decides about retries,
 * and the machine waits for long delays, calls a function of another size or starts a container as the function asks.
 * An error means that the worker crashed; a function then recovers the step, as it does after a container has ended.
 */
export function stepMachineDefinition(
  functionArns: Record<ComputeSize, string>,
  task?: StepTask,
  athena?: AthenaQueries,
): object {
  // The engines that this definition knows: the function may belong to a later deployment with more.
  const engines = [...(task ? ['container'] : []), ...(athena ? ['athena'] : [])];
  const variables = { job: '{% $states.input %}', functions: functionArns, compute: DEFAULT_COMPUTE, crash: {} };
  return {
    Comment: 'Works on a step of a pipeline run, attempt by attempt.',
    QueryLanguage: 'JSONata',
    StartAt: 'Begin',
    States: {
      // The same call as `Execute`. It also sets the variables, which saves a transition for a `Pass` state.
      Begin: executeState({ functionName: functionArns[DEFAULT_SIZE], job: '{% $states.input %}', engines }, variables),
      Execute: executeState({ functionName: '{% $lookup($functions, $compute.size) %}', job: '{% $job %}', engines }),
      Recover: {
        Type: 'Task',
        Resource: 'arn:aws:states:::lambda:invoke',
        Arguments: {
          FunctionName: functionArns[DEFAULT_SIZE],
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
      ...(athena ? queryStates(functionArns[DEFAULT_SIZE], athena) : {}),
      Done: { Type: 'Succeed' },
    },
  };
}

interface Execute {
  functionName: string;
  job: string;
  engines: readonly string[];
}

/**
 * Calls a worker, which reports its answer through the task token. `done` ends the execution, in one transition. Every
 * other answer fails the task with `STEP_CONTINUES`, which the machine catches; Lambda sees no error. `variables` are
 * assigned when the machine catches that error or a crash.
 */
function executeState({ functionName, job, engines }: Execute, variables: Record<string, unknown> = {}): object {
  return {
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
    TimeoutSeconds: EXECUTE_TIMEOUT_SECONDS,
    Arguments: {
      FunctionName: functionName,
      Payload: {
        op: 'execute',
        job,
        execution: '{% $states.context.Execution.Name %}',
        engines,
        taskToken: '{% $states.context.Task.Token %}',
      },
    },
    Retry: [
      { ErrorEquals: SERVICE_ERRORS, IntervalSeconds: 1, MaxAttempts: 6, BackoffRate: 2, JitterStrategy: 'FULL' },
    ],
    Catch: [
      {
        ErrorEquals: [STEP_CONTINUES],
        Assign: { ...variables, answer: '{% $parse($states.errorOutput.Cause) %}' },
        Next: 'Route',
      },
      { ErrorEquals: ['States.ALL'], Assign: { ...variables, crash: '{% $states.errorOutput %}' }, Next: 'Recover' },
    ],
    End: true,
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
    Retry: [{ ErrorEquals: TASK_ERRORS, IntervalSeconds: 2, MaxAttempts: 3, BackoffRate: 2, JitterStrategy: 'FULL' }],
    Catch: [{ ErrorEquals: ['States.ALL'], Assign: { crash: '{% $states.errorOutput %}' }, Next: 'Recover' }],
    Next: 'Recover',
  };
}
