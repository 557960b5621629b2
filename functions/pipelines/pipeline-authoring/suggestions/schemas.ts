import type { Static } from 'typebox';
import * as Type from 'typebox';
import { MAX_OPS } from '../../../../shared/data/recipe/ops.ts';
import { Id, Nullable, StrictObject } from '../../../../shared/platform/http/schemas.ts';

const StepRows = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}(\\.[A-Za-z0-9][A-Za-z0-9_-]{0,63})?$',
  description: 'The id of a step; for a route with its port, such as `by-size.big`.',
});

export const SuggestOps = StrictObject(
  {
    description: Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'What to do with the rows, in plain language.',
    }),
    upstreamIds: Type.Array(StepRows, {
      minItems: 1,
      maxItems: 10,
      uniqueItems: true,
      description: 'Where the rows come from. The operations work on the rows of the first; the others can be joined.',
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
        { maxItems: 10, description: 'The columns of steps that are not saved or have not run yet.' },
      ),
    ),
    currentOps: Type.Optional(
      Type.Array(Type.Record(Type.String(), Type.Unknown(), { $id: 'RecipeOperation' }), {
        maxItems: MAX_OPS,
        description: 'The current operations, to extend or change.',
      }),
    ),
  },
  { $id: 'SuggestOps', description: 'What the operations should do, and with which rows.' },
);
export type SuggestOps = Static<typeof SuggestOps>;

export const OpsSuggestion = Type.Object(
  {
    ops: Type.Array(Type.Record(Type.String(), Type.Unknown(), { $id: 'RecipeOperation' }), {
      description: 'The whole chain; it replaces `currentOps`.',
    }),
    explanation: Type.String(),
    confidence: Nullable(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Confidence as the model states it; null when it states none.',
      }),
    ),
    diagnostics: Type.Array(Type.Unknown(), {
      maxItems: 0,
      description: 'Always empty: only valid operations are suggested.',
    }),
    columns: Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
    previewRows: Nullable(
      Type.Array(Type.Array(Type.Unknown()), {
        description: 'The result for rows of the last run; null when no run has stored the rows of all inputs.',
      }),
    ),
    basedOnRunId: Nullable(Id),
  },
  { $id: 'OpsSuggestion', description: 'Operations that do what was described, checked and tried.' },
);
