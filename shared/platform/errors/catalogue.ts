/**
 * Every code that a reply may carry, with its kind (which decides the HTTP status, in `shared/platform/http/problem.ts`) and the
 * sentence that a client reads. A code is a promise: once published it keeps its meaning.
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'methodNotAllowed'
  | 'notAcceptable'
  | 'timeout'
  | 'conflict'
  | 'stale'
  | 'tooLarge'
  | 'unsupportedMedia'
  | 'unprocessable'
  | 'tooMany'
  | 'internal'
  | 'unavailable';

export const ERRORS = {
  // The request itself
  INVALID_JSON: ['invalid', 'The request body is not valid JSON.'],
  VALIDATION_FAILED: ['invalid', 'The request does not have the expected shape.'],
  STALE_WRITE: ['conflict', 'It was changed in the meantime; read it again.'],
  PRECONDITION_FAILED: ['stale', 'It is not as the If-Match header expects; read it again.'],
  CURSOR_INVALID: ['invalid', 'The cursor is not one of this list.'],
  CURSOR_MISMATCH: ['invalid', 'The cursor belongs to another list or to other filters.'],
  CURSOR_EXPIRED: ['notFound', 'The cursor is older than 24 hours; begin the list again.'],
  NOT_ACCEPTABLE: ['notAcceptable', 'The reply has none of the content types that the Accept header takes.'],
  OFFSET_TOO_LARGE: ['invalid', 'The offset may be at most 10,000; narrow the list instead.'],
  BODY_TOO_LARGE: ['tooLarge', 'The request body is larger than 1 MiB.'],
  UNSUPPORTED_MEDIA_TYPE: ['unsupportedMedia', 'The request body must be sent as application/json.'],
  ROUTE_NOT_FOUND: ['notFound', 'There is no such endpoint.'],
  METHOD_NOT_ALLOWED: ['methodNotAllowed', 'The endpoint does not offer this method.'],
  IDEMPOTENCY_IN_PROGRESS: ['conflict', 'A request with this Idempotency-Key is still being processed.'],
  IDEMPOTENCY_KEY_REUSED: ['unprocessable', 'This Idempotency-Key was used with another request.'],
  INTERNAL: ['internal', 'Something went wrong on our side. The request id leads us to it.'],
  SERVICE_BUSY: ['unavailable', 'The service is busy; try again shortly.'],

  AI_NOT_CONFIGURED: ['unavailable', 'This deployment has no AI provider, or no key for it.'],
  AI_UNAVAILABLE: ['unavailable', 'The AI provider gave no usable answer; try again later.'],

  // Who is calling
  UNAUTHENTICATED: ['unauthenticated', 'Sign in, or send a valid token or API key.'],
  INVALID_CREDENTIALS: ['unauthenticated', 'The email or the password is wrong.'],
  INVALID_REFRESH_TOKEN: ['unauthenticated', 'The refresh token is not valid any more; sign in again.'],
  FORBIDDEN: ['forbidden', 'You may not do this.'],
  PRODUCT_NOT_LICENSED: ['forbidden', 'Your company has no licence for this product.'],
  TOO_MANY_ATTEMPTS: ['tooMany', 'Too many failed attempts; wait before you try again.'],

  // API keys, workspaces
  API_KEY_NOT_FOUND: ['notFound', 'There is no such API key.'],
  MEMBER_NOT_FOUND: ['notFound', 'There is no such member.'],
  MEMBER_EXISTS: ['conflict', 'This person is a member already.'],
  EMAIL_TAKEN: ['conflict', 'This email address has an account already.'],
  LAST_ADMIN: ['conflict', 'A workspace keeps at least one admin.'],

  // Secrets
  SECRET_NOT_FOUND: ['notFound', 'There is no such secret.'],
  SECRET_REFERENCED: ['conflict', 'The secret is in use.'],
  TOO_MANY_SECRETS: ['conflict', 'A workspace can have at most 100 secrets.'],

  // Data sources
  DATA_SOURCE_NOT_FOUND: ['notFound', 'There is no such data source.'],
  DATA_SOURCE_NAME_TAKEN: ['conflict', 'A data source with this name exists already.'],
  DATA_SOURCE_REFERENCED: ['conflict', 'The data source is in use.'],
  DATA_SOURCE_UNREACHABLE: ['unprocessable', 'The data source could not be read.'],
  DATA_SOURCE_SYNCING: ['conflict', 'The catalogue of the data source is being read already.'],
  DATA_SOURCE_NOT_SYNCED: ['conflict', 'The catalogue of the data source was never read; sync it first.'],
  ADDRESS_BLOCKED: ['invalid', 'This address may not be reached from here.'],
  TABLE_NOT_FOUND: ['notFound', 'The data source has no such table or file.'],
  FILE_NOT_FOUND: ['notFound', 'The data source has no such file.'],
  FILE_UNREADABLE: ['unprocessable', 'The file could not be read as the format it is given as.'],
  UPLOAD_NOT_FOUND: ['notFound', 'There is no such upload for this path, or it was given up.'],
  UPLOAD_PARTS_INVALID: ['unprocessable', 'The parts are not those that were uploaded.'],
  UPLOAD_NOT_SUPPORTED: ['conflict', 'Files can be uploaded to a data source of type file only.'],

  // Datasets and queries
  DATASET_NOT_FOUND: ['notFound', 'There is no such dataset.'],
  DATASET_NAME_TAKEN: ['conflict', 'A dataset with this name exists already.'],
  DATASET_REFERENCED: ['conflict', 'The dataset is in use.'],
  DATASET_REFRESHING: ['conflict', 'A refresh of the dataset is under way.'],
  DATASET_NOT_REFRESHING: ['conflict', 'No refresh of the dataset is under way.'],
  DATASET_HAS_NO_SOURCE: ['conflict', 'The dataset has no source to be refreshed from; pipelines load it.'],
  DATASET_VERSION_NOT_FOUND: ['notFound', 'The dataset has no such version, or not any more.'],
  QUERY_JOB_NOT_FOUND: ['notFound', 'There is no such query job; results are kept for a day.'],
  QUERY_JOB_NOT_SUCCEEDED: ['conflict', 'The job has no result.'],
  SAVED_QUERY_NOT_FOUND: ['notFound', 'There is no such saved query.'],
  SAVED_QUERY_VERSION_NOT_FOUND: ['notFound', 'The saved query has no such version.'],
  SQL_NOT_READ_ONLY: ['invalid', 'Only a single SELECT or WITH statement over the given tables is accepted.'],
  SQL_PARSE: ['invalid', 'The SQL could not be parsed.'],
  SQL_ERROR: ['invalid', 'The query failed.'],
  QUERY_TIMEOUT: ['timeout', 'The query took longer than allowed and was stopped.'],
  SOURCE_NOT_QUERYABLE: ['conflict', 'A data source of this type cannot be queried; load it into a dataset.'],
  RESULT_TOO_LARGE: ['unprocessable', 'The result is larger than one reply can carry; ask for fewer rows or columns.'],
  QUERY_TOO_HEAVY: ['unprocessable', 'The query needed more memory than allowed and was stopped.'],

  // Jobs
  TOO_MANY_QUERY_JOBS: ['tooMany', 'Five query jobs of the workspace wait or run already.'],
  JOB_NOT_FOUND: ['notFound', 'There is no such job.'],
  JOB_ACTIVE: ['conflict', 'A job is at work on it already.'],

  // Pipelines
  PIPELINE_NOT_FOUND: ['notFound', 'There is no such pipeline.'],
  PIPELINE_NAME_TAKEN: ['conflict', 'A pipeline with this name exists already.'],
  PIPELINE_CHANGED: ['conflict', 'The pipeline was changed in the meantime; read it again.'],
  PIPELINE_DAG_INVALID: ['unprocessable', 'The pipeline definition has issues.'],
  PIPELINE_SCHEDULE_INVALID: ['unprocessable', 'The schedule has issues.'],
  PIPELINE_HAS_ACTIVE_RUN: ['conflict', 'A run of the pipeline is queued or running.'],
  PIPELINE_PAUSED: ['conflict', 'The pipeline is paused.'],
  FLOWLET_NOT_FOUND: ['notFound', 'There is no such flowlet.'],
  FLOWLET_CHANGED: ['conflict', 'Another version of the flowlet was saved in the meantime; read it again.'],
  FLOWLET_INVALID: ['unprocessable', 'The flowlet has issues.'],
  FLOWLET_ARGUMENTS_INVALID: ['unprocessable', 'The flowlet cannot be used with these arguments.'],
  STEP_WITHOUT_PREVIEW: ['unprocessable', 'The step has no preview.'],
  NO_RUN_DATA: ['unprocessable', 'No run of the last 30 days has left what the step reads; run the pipeline first.'],
  PREVIEW_FAILED: ['unprocessable', 'The step cannot be carried out with what the last run has left.'],
  SUGGESTION_INPUTS_INVALID: [
    'unprocessable',
    'The rows or the operations that the suggestion starts from have issues.',
  ],
  OPS_NOT_SUGGESTED: [
    'unprocessable',
    'No operations were found that do this; the errors tell what was wrong with the last ones.',
  ],
  RUN_NOT_FOUND: ['notFound', 'There is no such run.'],
  RUN_OVERLAP: ['conflict', 'The pipeline has as many active runs as it allows.'],
  RUN_NOT_ACTIVE: ['conflict', 'The run is neither queued nor running.'],
  RUN_NOT_FAILED: ['conflict', 'Only a failed run can be retried.'],
  RUN_EXPIRED: ['conflict', 'The run is too old to be retried: what its steps have made is not kept any more.'],
  RUN_PARAMETERS_INVALID: ['invalid', 'The run parameters have issues.'],
  WEBHOOK_TRIGGER_NOT_FOUND: ['notFound', 'The pipeline has no webhook trigger.'],
  WEBHOOK_TOKEN_INVALID: ['unauthenticated', 'The token is not valid for this pipeline.'],
  TRIGGER_BODY_TOO_LARGE: ['tooLarge', 'The body of a webhook trigger may have 256 KiB.'],
  STEP_LOG_NOT_FOUND: ['notFound', 'There is no log for this step and attempt.'],
  BACKFILL_WINDOW_INVALID: ['unprocessable', 'The window of the backfill has issues.'],
  BACKFILL_OVERLAP: ['conflict', 'A backfill of the pipeline is at work on some of these dates.'],
  BACKFILL_ACTIVE: ['tooMany', 'Another backfill of the pipeline is at work; wait until it is over.'],
  BACKFILL_NOT_ACTIVE: ['conflict', 'No backfill of the pipeline is at work.'],
  QUEUE_FULL: ['tooMany', 'Too many runs of this pipeline are waiting already.'],
  RATE_LIMITED: ['tooMany', 'Too many runs were started; wait before you start another.'],
  ALLOWANCE_EXHAUSTED: ['tooMany', 'The allowance of this month is used up.'],
  WORKER_UNAVAILABLE: ['unavailable', 'The execution plane does not answer; no run was created.'],

  // CDC streams
  CDC_STREAM_NOT_FOUND: ['notFound', 'There is no such CDC stream.'],
  CDC_STREAM_ID_TAKEN: ['conflict', 'The data source has a CDC stream of this name already.'],
  CDC_STREAM_DELETING: ['conflict', 'The CDC stream is being deleted.'],
  CDC_TABLE_UNKNOWN: ['unprocessable', 'The CDC stream does not follow this table.'],
  SOURCE_NOT_CAPTURABLE: ['unprocessable', 'Changes can be captured from data sources of type postgres alone.'],
  SOURCE_NOT_READY: ['unprocessable', 'The data source is not ready for a CDC stream.'],

  // Webhooks
  TOO_MANY_WEBHOOKS: ['conflict', 'A workspace can have at most 200 webhooks.'],
  WEBHOOK_NOT_FOUND: ['notFound', 'There is no such webhook.'],
  WEBHOOK_DISABLED: ['conflict', 'The webhook is disabled; enable it first.'],
  DELIVERY_NOT_FOUND: ['notFound', 'There is no such delivery; deliveries are kept for 30 days.'],
  DELIVERY_UNDER_WAY: ['conflict', 'The delivery is still under way.'],
  REPLAY_TOO_LARGE: ['unprocessable', 'More than 10,000 deliveries lie in this time; replay shorter ones.'],
  TOO_MANY_REDELIVERIES: ['tooMany', 'Too much was asked for again within a minute.'],
} as const satisfies Record<string, readonly [ErrorKind, string]>;

export type ErrorCode = keyof typeof ERRORS;

export function errorKind(code: ErrorCode): ErrorKind {
  return ERRORS[code][0];
}
