import { SERVICE_ERRORS } from '../run-lifecycle/run-machine.ts';

/** Where queries run. */
export interface AthenaQueries {
  workGroup: string;
}

/** How a query ends that was stopped because its run is cancelled. */
export const QUERY_STOPPED = 'Step.QueryStopped';

/** Between two signs of life of an attempt that Athena works on. */
const HOLD_EVERY_SECONDS = 10;

const RETRY = [
  { ErrorEquals: SERVICE_ERRORS, IntervalSeconds: 1, MaxAttempts: 6, BackoffRate: 2, JitterStrategy: 'FULL' },
];
const CAUGHT = { ErrorEquals: ['States.ALL'], Assign: { crash: '{% $states.errorOutput %}' } };
const ATHENA_FAULTS = [
  {
    ErrorEquals: ['Athena.TooManyRequestsException', 'Athena.InternalServerException'],
    IntervalSeconds: 2,
    MaxAttempts: 5,
    BackoffRate: 2,
    JitterStrategy: 'FULL',
  },
];

/** Statements about tables take seconds. One that hangs would have its attempt held until the run's day is over. */
const TABLE_SECONDS = 300;

const QUERY = 'arn:aws:states:::athena:startQueryExecution.sync';

/** What follows from the answers that have to do with Athena; these rules go before the others. */
export function queryRoutes(atAnsweredStep: object): object[] {
  return [
    {
      Condition: "{% $answer.kind = 'elsewhere' and $answer.compute.engine = 'athena' %}",
      Assign: atAnsweredStep,
      Next: 'BeginQuery',
    },
    {
      Condition: "{% $answer.kind = 'query' %}",
      Assign: { ...atAnsweredStep, query: '{% $answer %}' },
      Next: 'OnAthena',
    },
  ];
}

/**
 * An attempt on Athena: a function begins it, Athena reads and writes, a function takes over what it wrote. Beside the query a
 * function holds the attempt's lease, and fails the branch, which stops the query, when the run is cancelled. However it ends, the
 * tables of the attempt are dropped.
 */
export function queryStates(functionArn: string, { workGroup }: AthenaQueries): Record<string, object> {
  const call = (op: string) => ({
    Type: 'Task',
    Resource: 'arn:aws:states:::lambda:invoke',
    Arguments: {
      FunctionName: functionArn,
      Payload: {
        op,
        job: '{% $job %}',
        execution: '{% $states.context.Execution.Name %}',
        ...(op === 'begin-query' ? {} : { attempt: '{% $query.attempt %}' }),
      },
    },
    Retry: RETRY,
  });
  const tell = (statement: string, more: object = {}) => ({
    Type: 'Task',
    Resource: QUERY,
    Arguments: { QueryString: statement, WorkGroup: workGroup, ...more },
    Retry: ATHENA_FAULTS,
  });
  const eachOf = (statements: string, name: string, state: object, more: object = {}) => ({
    Type: 'Map',
    Items: statements,
    MaxConcurrency: 2,
    ItemProcessor: { ProcessorConfig: { Mode: 'INLINE' }, StartAt: name, States: { [name]: state, ...more } },
  });
  const working = {
    StartAt: 'CreateTables',
    States: {
      CreateTables: {
        ...eachOf('{% $query.creates %}', 'CreateTable', {
          ...tell('{% $states.input %}'),
          TimeoutSeconds: TABLE_SECONDS,
          End: true,
        }),
        Next: 'RunQuery',
      },
      RunQuery: {
        ...tell('{% $query.query %}', { ClientRequestToken: '{% $query.token %}' }),
        TimeoutSeconds: '{% $query.seconds %}',
        Next: 'FinishQuery',
      },
      FinishQuery: { ...call('finish-query'), Output: '{% $states.result.Payload %}', End: true },
    },
  };
  const holding = {
    StartAt: 'Wait',
    States: {
      Wait: { Type: 'Wait', Seconds: HOLD_EVERY_SECONDS, Next: 'HoldQuery' },
      HoldQuery: { ...call('hold-query'), Assign: { hold: '{% $states.result.Payload.kind %}' }, Next: 'IsHeld' },
      IsHeld: {
        Type: 'Choice',
        Choices: [
          { Condition: "{% $hold = 'held' %}", Next: 'Wait' },
          { Condition: "{% $hold = 'stop' %}", Next: 'StopQuery' },
        ],
        Default: 'LetGo',
      },
      StopQuery: { Type: 'Fail', Error: QUERY_STOPPED, Cause: 'The run is cancelled.' },
      LetGo: { Type: 'Succeed' },
    },
  };
  return {
    BeginQuery: {
      ...call('begin-query'),
      Catch: [{ ...CAUGHT, Next: 'Recover' }],
      Assign: { answer: '{% $states.result.Payload %}' },
      Next: 'Route',
    },
    OnAthena: {
      Type: 'Parallel',
      Branches: [working, holding],
      Catch: [{ ...CAUGHT, Next: 'DropTables' }],
      Assign: { answer: '{% $states.result[0] %}' },
      Next: 'DropTables',
    },
    DropTables: {
      ...eachOf(
        '{% $query.drops %}',
        'DropTable',
        // A table that is left holds nothing: what it lists goes with the run.
        {
          ...tell('{% $states.input %}'),
          TimeoutSeconds: TABLE_SECONDS,
          Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Leave' }],
          End: true,
        },
        { Leave: { Type: 'Succeed' } },
      ),
      Next: 'HasEnded',
    },
    HasEnded: {
      Type: 'Choice',
      Choices: [{ Condition: '{% $exists($crash.Error) %}', Next: 'Recover' }],
      Default: 'Route',
    },
  };
}
