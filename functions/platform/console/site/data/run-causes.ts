/** Of each code of a failed step: what has happened, and what mends it. As in the guide to operating pipelines. */
export const CAUSES: Readonly<Record<string, { happened: string; remedy: string }>> = {
  AUTH_FAILED: {
    happened: 'the data source rejected the credentials',
    remedy: 'rotate the secrets of the data source',
  },
  PERMISSION_DENIED: {
    happened: 'the data source does not permit the operation',
    remedy: 'grant the right to the user or key of the data source',
  },
  NOT_FOUND: {
    happened: 'a table, file or endpoint does not exist',
    remedy: 'correct the name, or wait for it to appear',
  },
  CONNECTION_FAILED: {
    happened: 'the data source could not be reached, or the connection broke',
    remedy: 'test the data source',
  },
  RATE_LIMITED: {
    happened: 'the data source accepts no more requests for now',
    remedy: 'lower the frequency, or raise initialIntervalMs',
  },
  TIMEOUT: {
    happened: 'the attempt exceeded timeoutSeconds, or a batch of code 10 seconds',
    remedy: 'raise the limit, or read less',
  },
  SCHEMA_MISMATCH: {
    happened: 'rows or columns are not as expected, or a file is not of its format',
    remedy: 'see the message for the place; see schema changes',
  },
  VALUES_LOST: {
    happened: 'a column would become null throughout',
    remedy: 'convert it in a query, or name it in acceptNullColumns',
  },
  SQL_ERROR: { happened: 'a statement failed', remedy: 'correct the SQL; a preview shows the position' },
  CODE_ERROR: { happened: 'the code of the step failed', remedy: 'see the line in the message' },
  GATE_FAILED: {
    happened: 'a quality gate failed',
    remedy: 'see which of the gates of the step run failed; correct the rows, or change the gate',
  },
  OUT_OF_MEMORY: { happened: 'the step exceeded its memory', remedy: 'choose a larger compute, or memoryMb for code' },
  RESULT_TOO_LARGE: {
    happened: 'a value, a row, a file above 4 GB or the result exceeds its limit',
    remedy: 'read less, or split it',
  },
  ALLOWANCE_EXHAUSTED: {
    happened: 'the monthly allowance is used up',
    remedy: 'wait for the next month, or raise the allowance',
  },
  OVERTAKEN: { happened: 'another run has moved the watermark of an incremental extract', remedy: 'start a new run' },
  TARGET_MISSING: { happened: 'the target of an incremental load was dropped', remedy: 'start a run with fullRefresh' },
  TARGET_NOT_EMPTY: {
    happened: 'a full refresh would append rows to a target that holds rows',
    remedy: 'empty or drop the target, or merge',
  },
  SECRET_NOT_FOUND: { happened: 'a secret was deleted', remedy: 'create it again, or save the pipeline without it' },
  RLS_COPY: {
    happened: 'a policy or label hides rows from the definer of the pipeline',
    remedy: 'ask an admin to allow the copy',
  },
  WORKER_LOST: {
    happened: 'the worker crashed, or five workers in a row crashed before they began',
    remedy: 'it is retried; report it if it persists',
  },
  WORKER_UNAVAILABLE: { happened: 'no worker could be started for an hour', remedy: 'see compute' },
  CANCELLED: { happened: 'the run was cancelled', remedy: 'start a new run' },
  INTERNAL: { happened: 'something went wrong on our side', remedy: 'retry the run; report it if it persists' },
};

/** What has happened in a run that failed, in a few words. */
export function causeText({ code, message }: { code: string; message: string }): string {
  const text = CAUSES[code]?.happened ?? message;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
