import Type, { type Static } from 'typebox';
import {
  Compute,
  Concurrency,
  Dag,
  LOG_LEVELS,
  PIPELINE_STATUSES,
  Pipeline,
  RUN_STATUSES,
  Run,
  TriggerRecord,
} from '../../shared/domains/pipelines/index.ts';
import {
  Id,
  ListQuery,
  Name,
  Nullable,
  Page,
  StrictObject,
  StringEnum,
  Timestamp,
} from '../../shared/platform/http/schemas.ts';
import { Schedule } from '../../shared/platform/schedule/schedule.ts';

export const PipelinePage = Page(Pipeline);
export const RunPage = Page(Run);

export const PipelineParams = Type.Object({ id: Id });
export const RunParams = Type.Object({ runId: Id });
export const StepParams = Type.Object({ runId: Id, stepId: Type.String({ minLength: 1, maxLength: 64 }) });

const settings = {
  schedule: Type.Optional(Schedule),
  concurrency: Type.Optional(Concurrency),
  compute: Type.Optional(Compute),
  status: Type.Optional(StringEnum(PIPELINE_STATUSES)),
};

export const NewPipeline = StrictObject({ name: Name, dag: Dag, ...settings }, { $id: 'NewPipeline' });
export type NewPipeline = Static<typeof NewPipeline>;

export const PipelinePatch = StrictObject(
  {
    name: Type.Optional(Name),
    dag: Type.Optional(Dag),
    ...settings,
    expectedUpdatedAt: Type.Optional(
      Type.String({ description: 'The `updatedAt` that was read: refuses to overwrite a change made since.' }),
    ),
  },
  { $id: 'PipelinePatch' },
);
export type PipelinePatch = Static<typeof PipelinePatch>;

/** The definition is taken as it comes: its issues are the answer. */
export const DagToValidate = StrictObject(
  { dag: Type.Optional(Type.Record(Type.String(), Type.Unknown())) },
  { $id: 'DagToValidate' },
);

export const Validation = Type.Object(
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
  { $id: 'Validation' },
);
export type Validation = Static<typeof Validation>;

export const NewRun = StrictObject(
  { parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())) },
  { $id: 'NewRun' },
);

export const RunsQuery = ListQuery;

export const LogQuery = Type.Object({
  attempt: Type.Optional(Type.Integer({ minimum: 1, description: 'The newest when absent.' })),
  itemIndex: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Of a step in a forEach block; the first when absent.' }),
  ),
});

export const StepLogTail = Type.Object(
  {
    runId: Id,
    stepId: Type.String(),
    attempt: Type.Integer(),
    item: Nullable(Type.Union([Type.String(), Type.Number()])),
    lines: Type.Array(Type.Object({ at: Timestamp, level: StringEnum(LOG_LEVELS), message: Type.String() })),
    truncated: Type.Boolean({ description: 'Earlier lines were left out.' }),
    totalBytes: Type.Integer(),
  },
  { $id: 'StepLogTail' },
);
export type StepLogTail = Static<typeof StepLogTail>;

export const WorkersStatus = Type.Object(
  {
    state: StringEnum(['available', 'degraded', 'unavailable']),
    reason: Nullable(Type.String()),
    queuedRuns: Type.Integer(),
    oldestQueuedSeconds: Nullable(
      Type.Integer({
        description: 'How long a run has waited; days of a backfill, which wait for each other, do not count.',
      }),
    ),
    checkedAt: Timestamp,
  },
  { $id: 'WorkersStatus' },
);
export type WorkersStatus = Static<typeof WorkersStatus>;

const used = {
  executionSeconds: Type.Number(),
  rowsMoved: Type.Integer({ description: 'Rows that loads have committed.' }),
  bytesMoved: Type.Integer(),
  runs: Type.Integer({ description: 'Runs that have reached `running`.' }),
};
const Month = Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$', description: 'A month in UTC, such as `2026-01`.' });

export const MonthQuery = Type.Object({ month: Type.Optional(Month) });

export const MonthUsage = Type.Object({ month: Month, ...used }, { $id: 'MonthUsage' });
export type MonthUsage = Static<typeof MonthUsage>;

export const UsageBreakdown = Type.Object(
  {
    month: Month,
    pipelines: Type.Array(Type.Object({ pipelineId: Id, name: Nullable(Type.String()), ...used })),
    sinks: Type.Array(
      Type.Object({
        kind: Type.String(),
        id: Type.String(),
        name: Nullable(Type.String({ description: 'Null when it is deleted.' })),
        rowsMoved: used.rowsMoved,
        bytesMoved: used.bytesMoved,
      }),
    ),
  },
  { $id: 'UsageBreakdown' },
);
export type UsageBreakdown = Static<typeof UsageBreakdown>;

export const WebhookTrigger = Type.Object(
  { url: Type.String(), method: Type.Literal('POST'), tokenCreatedAt: Timestamp },
  { $id: 'WebhookTrigger' },
);
export type WebhookTrigger = Static<typeof WebhookTrigger>;

export const WebhookToken = Type.Object({
  token: Type.Optional(Type.String({ maxLength: 200, description: 'From the URL that the pipeline shows.' })),
});

export const WebhookCall = Type.Record(Type.String(), Type.Unknown(), {
  $id: 'WebhookCall',
  description: 'Any JSON object of at most 256 KiB.',
});

export const TriggerHistoryQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
});

export const TriggerHistory = Type.Object({ items: Type.Array(TriggerRecord) }, { $id: 'TriggerHistory' });

const Day = Type.String({ description: 'A date such as `2026-01-31`.' });

export const NewBackfill = StrictObject(
  {
    from: Day,
    to: Day,
    parameters: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'For every run of the backfill.' }),
    ),
  },
  { $id: 'NewBackfill' },
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
  { $id: 'Backfill' },
);
export type Backfill = Static<typeof Backfill>;

export const CancelledBackfill = Type.Object(backfillMembers, { $id: 'CancelledBackfill' });
export type CancelledBackfill = Static<typeof CancelledBackfill>;
