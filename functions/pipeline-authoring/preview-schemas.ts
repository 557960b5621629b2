import Type from 'typebox';
import { DatasetColumn } from '../../shared/data/tables/data-file.ts';
import { Dag } from '../../shared/domains/pipelines/index.ts';
import { Id, Nullable, StrictObject, StringEnum } from '../../shared/platform/http/schemas.ts';

export const TransformToPreview = StrictObject(
  {
    stepId: Type.String({ minLength: 1, maxLength: 64 }),
    dag: Type.Optional(Dag),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
  },
  { $id: 'TransformToPreview' },
);

export const TransformPreview = Type.Object(
  {
    stepId: Type.String(),
    sql: Nullable(
      Type.String({
        description: 'What the step comes to in DuckDB, values bound to `$1`, `$2`, …; null for a code step.',
      }),
    ),
    columns: Type.Array(DatasetColumn),
    rows: Type.Array(Type.Array(Type.Unknown())),
    rowCount: Type.Integer(),
    truncated: Type.Boolean({ description: 'There are more rows than `limit`.' }),
    lines: Type.Optional(
      Type.Array(Type.Object({ level: StringEnum(['info', 'warn', 'error']), message: Type.String() }), {
        description: 'What the code of the step has written to its console.',
      }),
    ),
    athena: Nullable(
      Type.Object(
        {
          moves: Type.Boolean(),
          sql: Nullable(Type.String({ description: 'What the step comes to in the words of Trino.' })),
          reasons: Type.Array(
            Type.Object({
              pointer: Type.Optional(Type.String({ description: 'The operation of a recipe.' })),
              message: Type.String(),
              position: Type.Optional(
                Type.Object({ line: Type.Integer(), column: Type.Integer(), offset: Type.Integer() }),
              ),
            }),
          ),
        },
        {
          description:
            'Whether the step can move to Athena when its inputs outgrow everything else, where the deployment has it, and if not, why; null for steps without SQL of their own, and when there was no time to find out.',
        },
      ),
    ),
    basedOnRunId: Id,
    upstreamMode: StringEnum(['last_run']),
  },
  { $id: 'TransformPreview' },
);
