import { type ComputeSize, USUAL_COMPUTE, USUAL_SIZE } from '../../../shared/pipelines/compute.ts';
import { SERVICE_FAULTS } from '../run-lifecycle/run-machine.ts';

/** Longer than the function may take, so that its own timeout is what ends it. */
const EXECUTE_TIMEOUT_SECONDS = 930;

const AT_ANSWERED_STEP = { job: "{% $merge([$job, {'index': $answer.index}]) %}" };

/**
 * The machine of a step instance. A failed attempt is an answer, not an error: the function decides about retries, and
 * the machine only lets longer delays pass, and calls a function of another size where it is told so. An error means that the function died; another one then clears up.
 */
export function stepMachineDefinition(functionArns: Record<ComputeSize, string>): object {
  return {
    Comment: 'Works on a step of a pipeline run, attempt by attempt.',
    QueryLanguage: 'JSONata',
    StartAt: 'Begin',
    States: {
      Begin: {
        Type: 'Pass',
        Assign: { job: '{% $states.input %}', functions: functionArns, compute: USUAL_COMPUTE },
        Next: 'Execute',
      },
      Execute: {
        Type: 'Task',
        Resource: 'arn:aws:states:::lambda:invoke',
        TimeoutSeconds: EXECUTE_TIMEOUT_SECONDS,
        Arguments: {
          FunctionName: '{% $lookup($functions, $compute.size) %}',
          Payload: { op: 'execute', job: '{% $job %}', execution: '{% $states.context.Execution.Name %}' },
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
            crash: '{% $crash %}',
          },
        },
        Retry: [
          { ErrorEquals: ['States.ALL'], IntervalSeconds: 1, MaxAttempts: 10, BackoffRate: 2, MaxDelaySeconds: 60 },
        ],
        Assign: { answer: '{% $states.result.Payload %}' },
        Next: 'Route',
      },
      Route: {
        Type: 'Choice',
        Choices: [
          { Condition: "{% $answer.kind = 'again' %}", Next: 'Backoff' },
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
        Assign: AT_ANSWERED_STEP,
        Next: 'Execute',
      },
      Done: { Type: 'Succeed' },
    },
  };
}
