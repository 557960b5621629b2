import * as Type from 'typebox';
import { DatasetColumn } from '../../../../shared/data/tables/data-file.ts';
import { Dag } from '../../../../shared/domains/pipelines/definition/index.ts';
import { Id, Nullable, StrictObject, StringEnum } from '../../../../shared/platform/http/schemas.ts';
export const PreviewTransform = StrictObject(
  {
    stepId: Type.String({ minLength: 1, maxLength: 64 }),
    dag: Type.Optional(Dag),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
  },
  { $id: 'PreviewTransform', description: 'The step to preview; omit `dag` for the stored definition.' },
);

export const TransformPreview = Type.Object(
  {
    stepId: Type.String(),
    sql: Nullable(
      Type.String({
        description: 'The step as DuckDB SQL, with values bound to `$1`, `$2`, …; null for a code step.',
      }),
    ),
    columns: Type.Array(DatasetColumn),
    rows: Type.Array(Type.Array(Type.Unknown())),
    rowCount: Type.Integer(),
    truncated: Type.Boolean({ description: 'Whether there are more rows than `limit`.' }),
    lines: Type.Optional(
      Type.Array(Type.Object({ level: StringEnum(['info', 'warn', 'error']), message: Type.String() }), {
        description: 'The console output of the code.',
      }),
    ),
    athena: Nullable(
      Type.Object(
        {
          moves: Type.Boolean(),
          sql: Nullable(Type.String({ description: 'The step as Trino SQL.' })),
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
            'Whether the step can run on Athena when its inputs are too large for everything else, and if not, why. Null for steps without SQL, and when there was no time to check.',
        },
      ),
    ),
    basedOnRunId: Id,
    upstreamMode: StringEnum(['last_run']),
  },
  { $id: 'TransformPreview', description: 'The rows that the step makes of the data of the last run.' },
);
