import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id, StrictObject, StringEnum } from '../../../platform/http/schemas.ts';
import { Schedule } from '../../../platform/schedule/schedule.ts';

/** The DynamoDB client drops a member called `__proto__`. */
const NAME = '^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]{0,63}$';

export const MAX_STEPS = 100;

/**
 * What names a step or a port; which ones there are is checked elsewhere, so that an unknown one is reported with the
 * nearest.
 */
const StepReference = Type.String({ maxLength: 200 });

export const STEP_TYPES = ['extract', 'load', 'transform_sql', 'transform_code', 'route'] as const;
export type StepType = (typeof STEP_TYPES)[number];

const Scalar = Type.Union([Type.String({ maxLength: 1024 }), Type.Number(), Type.Boolean()]);

export const StepRetry = StrictObject(
  {
    maxAttempts: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, default: 3 })),
    initialIntervalMs: Type.Optional(
      Type.Integer({ minimum: 100, default: 1000, description: 'The pause before the second attempt.' }),
    ),
    backoffCoefficient: Type.Optional(
      Type.Number({
        minimum: 1,
        default: 2,
        description: 'The factor by which each further pause grows, up to 15 minutes.',
      }),
    ),
    nonRetryableErrors: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        maxItems: 50,
        default: [],
        description: 'Codes of errors after which the step fails at once.',
      }),
    ),
  },
  { $id: 'StepRetry', description: 'How often a failed attempt of a step is repeated, and when.' },
);
export type StepRetry = Static<typeof StepRetry>;

export const WHEN_OPERATORS = ['eq', 'ne', 'in', 'not_in', 'truthy', 'falsy'] as const;

export const StepWhen = StrictObject(
  {
    param: Type.String({ pattern: NAME }),
    op: StringEnum(WHEN_OPERATORS),
    value: Type.Optional(Type.Union([Scalar, Type.Array(Scalar, { minItems: 1, maxItems: 100 })])),
  },
  {
    $id: 'StepWhen',
    description: 'A condition on a parameter of the run. A step that does not meet it is skipped.',
  },
);
export type StepWhen = Static<typeof StepWhen>;

export const Step = StrictObject(
  {
    id: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$' }),
    type: StringEnum(STEP_TYPES),
    config: Type.Record(Type.String(), Type.Unknown(), { maxProperties: 50 }),
    dependsOn: Type.Optional(
      Type.Array(StepReference, { maxItems: MAX_STEPS, default: [], description: 'Ids of the steps to wait for.' }),
    ),
    fromPorts: Type.Optional(
      Type.Record(Type.String(), StepReference, {
        maxProperties: MAX_STEPS,
        description: 'The port to read from, for each route in `dependsOn`, by the id of the route.',
      }),
    ),
    retry: Type.Optional(StepRetry),
    when: Type.Optional(StepWhen),
  },
  { $id: 'Step', description: 'A step of a pipeline, its settings by `type`.' },
);
export type Step = Static<typeof Step>;

export const TRIGGERS = {
  file_arrival: StrictObject(
    {
      kind: StringEnum(['file_arrival']),
      sourceId: Id,
      path: Type.String({ minLength: 1, maxLength: 1024, description: 'A pattern such as `in/**/*.csv`.' }),
      quietSeconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 3600,
          default: 60,
          description: 'The run starts when no file has arrived for this long.',
        }),
      ),
      minFiles: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 10_000,
          default: 1,
          description: 'The number of files that the run waits for.',
        }),
      ),
    },
    { $id: 'FileArrivalTrigger', description: 'Starts a run when files are uploaded to a source of type `file`.' },
  ),
  pipeline: StrictObject(
    {
      kind: StringEnum(['pipeline']),
      pipelineId: Id,
      on: Type.Optional(StringEnum(['success', 'completion'], { default: 'success' })),
    },
    { $id: 'PipelineTrigger', description: 'Starts a run after each run of another pipeline.' },
  ),
  webhook: StrictObject(
    { kind: StringEnum(['webhook']) },
    { $id: 'UrlTrigger', description: 'Starts a run when the URL of the pipeline is called.' },
  ),
} as const;
export const Trigger = Type.Union([TRIGGERS.file_arrival, TRIGGERS.pipeline, TRIGGERS.webhook], {
  $id: 'Trigger',
  description: 'What starts the pipeline, in addition to its schedule.',
});
export type Trigger = Static<typeof Trigger>;

export const OVERLAP_POLICIES = ['skip', 'queue', 'cancel_previous'] as const;

export const Concurrency = StrictObject(
  {
    maxConcurrentRuns: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, default: 1 })),
    onOverlap: Type.Optional(StringEnum(OVERLAP_POLICIES, { default: 'skip' })),
  },
  {
    $id: 'Concurrency',
    description: 'How many runs may be active at once, and what to do with a start beyond that.',
  },
);
export type Concurrency = Static<typeof Concurrency>;

export const PARAMETER_TYPES = ['string', 'number', 'boolean', 'list'] as const;

export const Parameter = StrictObject(
  {
    name: Type.String({ pattern: NAME }),
    type: StringEnum(PARAMETER_TYPES),
    default: Type.Optional(
      Type.Union([Scalar, Type.Array(Type.Union([Type.String({ maxLength: 256 }), Type.Number()]), { maxItems: 100 })]),
    ),
    required: Type.Optional(Type.Boolean({ default: false })),
    description: Type.Optional(Type.String({ maxLength: 500 })),
  },
  { $id: 'Parameter', description: 'A parameter of the runs, `{{ params.<name> }}` in the steps.' },
);
export type Parameter = Static<typeof Parameter>;

export const ForEach = StrictObject(
  {
    id: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9]{0,15}$' }),
    items: Type.Union([
      Type.Array(Type.Union([Type.String({ maxLength: 256 }), Type.Number()]), { minItems: 1, maxItems: 100 }),
      Type.String({ maxLength: 200, pattern: '^\\{\\{ *params\\.[A-Za-z_][A-Za-z0-9_]{0,63} *\\}\\}$' }),
    ]),
    steps: Type.Array(StepReference, { minItems: 1, maxItems: 50, description: 'Ids of the steps in the block.' }),
  },
  { $id: 'ForEach', description: 'A block of steps that is run for each item of a list, concurrently.' },
);
export type ForEach = Static<typeof ForEach>;

/** The envelope of a pipeline definition; `step-configs.ts` checks the `config` of each step by its type. */
export const Dag = StrictObject(
  {
    version: Type.Literal(1),
    steps: Type.Array(Step, { minItems: 1, maxItems: MAX_STEPS }),
    schedule: Type.Optional(Schedule),
    trigger: Type.Optional(Trigger),
    concurrency: Type.Optional(Concurrency),
    parameters: Type.Optional(Type.Array(Parameter, { maxItems: 50 })),
    forEach: Type.Optional(Type.Array(ForEach, { maxItems: 10 })),
  },
  { $id: 'Dag', description: 'The definition of a pipeline: its steps and their dependencies.' },
);
export type Dag = Static<typeof Dag>;

/** The ids that a step waits for. */
export function dependenciesOf(step: Step): readonly string[] {
  return step.dependsOn ?? [];
}
