/** Errors of the Lambda service, not of the function; retried at once. */
export const SERVICE_ERRORS = [
  'Lambda.TooManyRequestsException',
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
];

/** How often a start that fails is repeated. */
export const START_RETRIES = 3;

/**
 * The state machine that starts a run: one transition, however many steps there are. Nothing waits for the end of the
 * run, because the worker of its last step ends it. A run whose start fails is closed, unless it has begun: then the
 * minute tick continues it.
 */
export function runMachineDefinition(functionArns: { runLifecycle: string }): object {
  return {
    Comment: 'Starts a pipeline run.',
    QueryLanguage: 'JSONata',
    StartAt: 'Run',
    States: {
      Run: {
        Type: 'Task',
        Resource: 'arn:aws:states:::lambda:invoke',
        Arguments: {
          FunctionName: functionArns.runLifecycle,
          Payload: { op: 'start', job: '{% $states.input %}' },
        },
        Retry: [
          {
            ErrorEquals: SERVICE_ERRORS,
            IntervalSeconds: 1,
            MaxAttempts: 6,
            BackoffRate: 2,
            JitterStrategy: 'FULL',
          },
          // The function crashed: the next invocation continues its work.
          { ErrorEquals: ['States.TaskFailed'], IntervalSeconds: 1, MaxAttempts: START_RETRIES, BackoffRate: 3 },
        ],
        Catch: [
          // While Lambda is throttled the run waits: the minute tick starts another machine for it.
          { ErrorEquals: SERVICE_ERRORS, Next: 'Later' },
          { ErrorEquals: ['States.ALL'], Next: 'Close' },
        ],
        End: true,
      },
      Later: { Type: 'Succeed' },
      Close: {
        Type: 'Task',
        Resource: 'arn:aws:states:::lambda:invoke',
        Arguments: {
          FunctionName: functionArns.runLifecycle,
          Payload: { op: 'close', job: '{% $states.context.Execution.Input %}' },
        },
        Retry: [
          { ErrorEquals: ['States.ALL'], IntervalSeconds: 2, MaxAttempts: 10, BackoffRate: 2, MaxDelaySeconds: 300 },
        ],
        End: true,
      },
    },
  };
}
