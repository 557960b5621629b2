import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Concurrency, Dag } from '../../../shared/domains/pipelines/definition/index.ts';
import {
  Compute,
  FailureRecipients,
  LOG_LEVELS,
  PIPELINE_STATUSES,
  Pipeline,
  RUN_STATUSES,
  Run,
  STEP_STATUSES,
  TRIGGER_KINDS,
  TriggerRecord,
} from '../../../shared/domains/pipelines/store/index.ts';
import {
  CursorQuery,
  Id,
  idParams,
  LimitQuery,
  ListQuery,
  Name,
  NamedListQuery,
  NextCursor,
  Nullable,
  Page,
  StrictObject,
  StringEnum,
  Timestamp,
} from '../../../shared/platform/http/schemas.ts';
import { Schedule } from '../../../shared/platform/schedule/schedule.ts';
export const PipelinePage = Page(Pipeline);
export const RunPage = Page(Run);

export const PipelineParams = idParams('pipeline');
export const RunParams = Type.Object({ runId: Type.String({ format: 'uuid', description: 'The id of the run.' }) });
export const StepParams = Type.Object({
  ...RunParams.properties,
  stepId: Type.String({ minLength: 1, maxLength: 64, description: 'The id of the step in the definition.' }),
});

const settings = {
  schedule: Type.Optional(Schedule),
  concurrency: Type.Optional(Concurrency),
  compute: Type.Optional(Compute),
  failureRecipients: Type.Optional(FailureRecipients),
  status: Type.Optional(StringEnum(PIPELINE_STATUSES)),
};

export const CreatePipeline = StrictObject(
  { name: Name, dag: Dag, ...settings },
  { $id: 'CreatePipeline', description: 'A new pipeline.' },
);
export type CreatePipeline = Static<typeof CreatePipeline>;

export const UpdatePipeline = StrictObject(
  {
    name: Type.Optional(Name),
    dag: Type.Optional(Dag),
    ...settings,
    expectedUpdatedAt: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The `updatedAt` that was read. The request is rejected if the pipeline has changed since.',
      }),
    ),
  },
  { $id: 'UpdatePipeline', description: 'Fields to change; omitted fields keep their values.' },
);
export type UpdatePipeline = Static<typeof UpdatePipeline>;

/** Any object is a definition to check: the reply lists its issues. */
export const ValidatePipeline = StrictObject(
  { dag: Type.Optional(Type.Record(Type.String(), Type.Unknown())) },
  { $id: 'ValidatePipeline', description: 'The definition to check; omit it for the stored one.' },
);

export const PipelineValidation = Type.Object(
  {
    valid: Type.Boolean(),
    issues: Type.Array(
      Type.Object({
        path: Type.String({ description: 'A JSON pointer such as `/dag/steps/3/dependsOn/0`.' }),
        code: Type.String(),
        severity: StringEnum(['error']),
        message: Type.String(),
      }),
    ),
  },
  { $id: 'PipelineValidation', description: 'Whether the definition is valid, and every issue that it has.' },
);
export type PipelineValidation = Static<typeof PipelineValidation>;

export const RunPipeline = StrictObject(
  {
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        maxProperties: 50,
        description: 'Values for the parameters of the run.',
      }),
    ),
    fullRefresh: Type.Optional(
      Type.Union([Type.Boolean(), Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 100 })], {
        description: 'Incremental extracts that read all rows again: `true` for all of them, or their ids.',
      }),
    ),
  },
  { $id: 'RunPipeline', description: 'Options of a run.' },
);

export const RetryRun = StrictObject(
  {
    fromStep: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'Repeats this step and all steps after it, also those that have succeeded.',
      }),
    ),
  },
  { $id: 'RetryRun', description: 'Options of a retry.' },
);

export const PipelinesQuery = Type.Object({
  ...NamedListQuery.properties,
  status: Type.Optional(StringEnum(PIPELINE_STATUSES, { description: 'Only pipelines with this status.' })),
});

export const RunsQuery = Type.Object({
  ...ListQuery.properties,
  status: Type.Optional(
    StringEnum(RUN_STATUSES, { description: 'Only runs with this status, among the newest 5,000 of the pipeline.' }),
  ),
});

const instant = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', maxLength: 64, description }));

export const AllRunsQuery = Type.Object({
  ...CursorQuery.properties,
  status: Type.Optional(StringEnum(RUN_STATUSES, { description: 'Only runs with this status.' })),
  pipelineId: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Only runs of this pipeline.' })),
  trigger: Type.Optional(StringEnum(TRIGGER_KINDS, { description: 'Only runs started by this kind of trigger.' })),
  from: instant('Only runs created at this time or later.'),
  to: instant('Only runs created before this time.'),
});
export type AllRunsQuery = Static<typeof AllRunsQuery>;

export const AllRunsPage = Type.Object(
  {
    items: Type.Array(Run),
    nextCursor: NextCursor,
    recordedSince: Nullable({
      ...Timestamp,
      description:
        'When the oldest run of this list was created: older runs are listed with `pipelineId`, with which this is null.',
    }),
  },
  {
    $id: 'AllRunsPage',
    description:
      'Runs of all pipelines, newest first. With filters a page may have fewer items than `limit`, or none: go on while there is a `nextCursor`.',
  },
);
export type AllRunsPage = Static<typeof AllRunsPage>;

export const StepRunsQuery = Type.Object({
  ...CursorQuery.properties,
  status: Type.Optional(StringEnum(STEP_STATUSES, { description: 'Only steps with this status.' })),
});
export type StepRunsQuery = Static<typeof StepRunsQuery>;

export const LogQuery = Type.Object({
  attempt: Type.Optional(Type.Integer({ minimum: 1, description: 'The attempt. Omit it for the latest one.' })),
  itemIndex: Type.Optional(
    Type.Integer({ minimum: 0, description: 'The item of a step in a `forEach` block. Omit it for the first one.' }),
  ),
});

export const StepLogTail = Type.Object(
  {
    runId: Id,
    stepId: Type.String(),
    attempt: Type.Integer(),
    item: Nullable(Type.Union([Type.String(), Type.Number()])),
    lines: Type.Array(Type.Object({ at: Timestamp, level: StringEnum(LOG_LEVELS), message: Type.String() })),
    truncated: Type.Boolean({ description: 'Whether earlier lines were left out.' }),
    totalBytes: Type.Integer(),
  },
  { $id: 'StepLogTail', description: 'The last lines of the log of one attempt of a step.' },
);
export type StepLogTail = Static<typeof StepLogTail>;

export const WorkersStatus = Type.Object(
  {
    state: StringEnum(['available', 'degraded', 'unavailable']),
    reason: Nullable(Type.String()),
    queuedRuns: Type.Integer(),
    oldestQueuedSeconds: Nullable(
      Type.Integer({
        description:
          'How long the oldest queued run has waited. Days of a backfill do not count: they wait for each other.',
      }),
    ),
    checkedAt: Timestamp,
  },
  { $id: 'WorkersStatus', description: 'Whether runs can be started now.' },
);
export type WorkersStatus = Static<typeof WorkersStatus>;

const used = {
  executionSeconds: Type.Number(),
  rowsMoved: Type.Integer({ description: 'Rows committed by loads.' }),
  bytesMoved: Type.Integer(),
  runs: Type.Integer({ description: 'Runs that reached `running`, counted when they end.' }),
};
const Month = Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$', description: 'A month in UTC, such as `2026-01`.' });

export const MonthQuery = Type.Object({
  month: Type.Optional(
    Type.Unsafe<string>({ ...Month, description: 'A month in UTC, such as `2026-01`. Omit it for the current one.' }),
  ),
});

export const MonthUsage = Type.Object(
  { month: Month, ...used },
  { $id: 'MonthUsage', description: 'What the runs of the month have used.' },
);
export type MonthUsage = Static<typeof MonthUsage>;

export const UsageBreakdown = Type.Object(
  {
    month: Month,
    pipelines: Type.Array(Type.Object({ pipelineId: Id, name: Nullable(Type.String()), ...used })),
    sinks: Type.Array(
      Type.Object({
        kind: Type.String(),
        id: Type.String(),
        name: Nullable(Type.String({ description: 'Null when it no longer exists.' })),
        rowsMoved: used.rowsMoved,
        bytesMoved: used.bytesMoved,
      }),
    ),
  },
  { $id: 'UsageBreakdown', description: 'What each pipeline has used, and what was loaded into each sink.' },
);
export type UsageBreakdown = Static<typeof UsageBreakdown>;

export const WebhookTrigger = Type.Object(
  { url: Type.String(), method: Type.Literal('POST'), tokenCreatedAt: Timestamp },
  { $id: 'WebhookTrigger', description: 'The URL that starts the pipeline.' },
);
export type WebhookTrigger = Static<typeof WebhookTrigger>;

export const WebhookToken = Type.Object({
  token: Type.Optional(
    Type.String({ maxLength: 200, description: 'The secret token, part of the URL of the pipeline.' }),
  ),
});

export const WebhookCall = Type.Record(Type.String(), Type.Unknown(), {
  $id: 'WebhookCall',
  description: 'Any JSON object of at most 256 KiB.',
});

export const TriggerHistoryQuery = LimitQuery;

export const TriggerHistory = Type.Object(
  { items: Type.Array(TriggerRecord) },
  { $id: 'TriggerHistory', description: 'The latest automatic starts of a pipeline, newest first.' },
);

const Day = Type.String({ maxLength: 64, description: 'A date such as `2026-01-31`.' });

export const StartBackfill = StrictObject(
  {
    from: Day,
    to: Day,
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        maxProperties: 50,
        description: 'Values for the parameters of every run.',
      }),
    ),
  },
  { $id: 'StartBackfill', description: 'The first and the last day to run the pipeline for.' },
);

const backfillMembers = {
  backfillId: Id,
  from: Day,
  to: Day,
  runs: Type.Array(Type.Object({ id: Id, date: Day, status: StringEnum(RUN_STATUSES) })),
};

export const Backfill = Type.Object(
  {
    ...backfillMembers,
    created: Type.Integer(),
    skipped: Type.Array(Type.Object({ date: Day, reason: Type.String() })),
  },
  { $id: 'Backfill', description: 'A backfill that has started, with a run for each day.' },
);
export type Backfill = Static<typeof Backfill>;

export const CancelledBackfill = Type.Object(backfillMembers, {
  $id: 'CancelledBackfill',
  description: 'A backfill that is being cancelled, with the runs of its days.',
});
export type CancelledBackfill = Static<typeof CancelledBackfill>;
