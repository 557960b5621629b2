import Type from 'typebox';
import { DatasetColumn } from '../../shared/data/tables/data-file.ts';
import { Dag } from '../../shared/domains/pipelines/definition/dag.ts';
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
        description: 'The DuckDB statement of the step, with values bound to `$1`, `$2`, …; null for a code step.',
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
          sql: Nullable(Type.String({ description: 'The Trino statement of the step.' })),
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
            'Whether the step could run on Athena, which deployments can enable for inputs too large for DuckDB, and the reasons if not. Null for steps without SQL, and when the check ran out of time.',
        },
      ),
    ),
    basedOnRunId: Id,
    upstreamMode: StringEnum(['last_run']),
  },
  { $id: 'TransformPreview' },
);
