import Type, { type Static } from 'typebox';
import { MAX_OPS } from '../../shared/data/recipe/ops.ts';
import { Id, Nullable, StrictObject } from '../../shared/platform/http/schemas.ts';

const StepRows = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}(\\.[A-Za-z0-9][A-Za-z0-9_-]{0,63})?$',
  description: 'The id of a step; of a route with the port behind a dot, such as `by-size.big`.',
});

export const OpsWish = StrictObject(
  {
    description: Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'What is to become of the rows, in words.',
    }),
    upstreamIds: Type.Array(StepRows, {
      minItems: 1,
      maxItems: 10,
      uniqueItems: true,
      description: 'Where the rows come from. The operations work on those of the first; the others can be joined.',
    }),
    inputs: Type.Optional(
      Type.Array(
        StrictObject({
          stepId: StepRows,
          columns: Type.Array(
            StrictObject({
              name: Type.String({ minLength: 1, maxLength: 255 }),
              type: Type.String({ minLength: 1, maxLength: 1000 }),
            }),
            { minItems: 1, maxItems: 1000 },
          ),
        }),
        { maxItems: 10, description: 'Columns of steps that are not saved or have not run yet.' },
      ),
    ),
    currentOps: Type.Optional(
      Type.Array(Type.Record(Type.String(), Type.Unknown()), {
        maxItems: MAX_OPS,
        description: 'Operations that are there already, to be added to or changed.',
      }),
    ),
  },
  { $id: 'OpsWish' },
);
export type OpsWish = Static<typeof OpsWish>;

export const OpsSuggestion = Type.Object(
  {
    ops: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description: 'The whole chain, in the place of `currentOps`.',
    }),
    explanation: Type.String(),
    confidence: Nullable(
      Type.Number({ minimum: 0, maximum: 1, description: 'By the model; null when it tells none.' }),
    ),
    diagnostics: Type.Array(Type.Unknown(), { maxItems: 0, description: 'Empty: what has issues is not suggested.' }),
    columns: Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
    previewRows: Nullable(
      Type.Array(Type.Array(Type.Unknown()), {
        description: 'What comes of rows of the last run; null when no run has left all of the inputs.',
      }),
    ),
    basedOnRunId: Nullable(Id),
  },
  { $id: 'OpsSuggestion' },
);
