import { SERVICE_ERRORS } from '../run-lifecycle/run-machine.ts';

/** Where Athena runs queries. */
export interface AthenaQueries {
  workGroup: string;
}

/** The error of a query that was stopped because its run is cancelled. */
export const QUERY_STOPPED = 'Step.QueryStopped';

/** The interval at which an attempt on Athena extends its lease. */
const HOLD_EVERY_SECONDS = 10;

const RETRY = [
  { ErrorEquals: SERVICE_ERRORS, IntervalSeconds: 1, MaxAttempts: 6, BackoffRate: 2, JitterStrategy: 'FULL' },
];
const CAUGHT = { ErrorEquals: ['States.ALL'], Assign: { crash: '{% $states.errorOutput %}' } };
const ATHENA_RETRY = [
  {
    ErrorEquals: ['Athena.TooManyRequestsException', 'Athena.InternalServerException'],
    IntervalSeconds: 2,
    MaxAttempts: 5,
    BackoffRate: 2,
    JitterStrategy: 'FULL',
  },
];

/**
 * Statements about tables take seconds. Without this limit, one that hangs would hold its attempt until the run times
 * out.
 */
const TABLE_SECONDS = 300;

const QUERY = 'arn:aws:states:::athena:startQueryExecution.sync';

/** The transitions for answers that concern Athena; they precede the others. */
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
 * The states of an attempt on Athena: a function begins it, Athena runs the statements, and a function stores the
 * result. A parallel branch extends the attempt's lease; it fails when the run is cancelled, which stops the query. The
 * tables of the attempt are dropped in any case.
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
  const runStatement = (statement: string, more: object = {}) => ({
    Type: 'Task',
    Resource: QUERY,
    Arguments: { QueryString: statement, WorkGroup: workGroup, ...more },
    Retry: ATHENA_RETRY,
  });
  const forEach = (statements: string, name: string, state: object, more: object = {}) => ({
    Type: 'Map',
    Items: statements,
    MaxConcurrency: 2,
    ItemProcessor: { ProcessorConfig: { Mode: 'INLINE' }, StartAt: name, States: { [name]: state, ...more } },
  });
  const working = {
    StartAt: 'CreateTables',
    States: {
      CreateTables: {
        ...forEach('{% $query.creates %}', 'CreateTable', {
          ...runStatement('{% $states.input %}'),
          TimeoutSeconds: TABLE_SECONDS,
          End: true,
        }),
        Next: 'RunQuery',
      },
      RunQuery: {
        ...runStatement('{% $query.query %}', { ClientRequestToken: '{% $query.token %}' }),
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
        Default: 'Release',
      },
      StopQuery: { Type: 'Fail', Error: QUERY_STOPPED, Cause: 'The run is cancelled.' },
      Release: { Type: 'Succeed' },
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
      ...forEach(
        '{% $query.drops %}',
        'DropTable',
        // A table that is left behind holds no data: the files that it lists are deleted with the run.
        {
          ...runStatement('{% $states.input %}'),
          TimeoutSeconds: TABLE_SECONDS,
          Catch: [{ ErrorEquals: ['States.ALL'], Next: 'Ignore' }],
          End: true,
        },
        { Ignore: { Type: 'Succeed' } },
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
