import Type from 'typebox';
import { DatasetColumn } from '../../shared/datasets/record.ts';
import { Id, Words } from '../../shared/http/schemas.ts';
import { Dag } from '../../shared/pipelines/dag.ts';

export const TransformToPreview = Type.Object(
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
    sql: Type.String({ description: 'What the step comes to in DuckDB; values are bound to `$1`, `$2`, …' }),
    columns: Type.Array(DatasetColumn),
    rows: Type.Array(Type.Array(Type.Unknown())),
    rowCount: Type.Integer(),
    truncated: Type.Boolean({ description: 'There are more rows than `limit`.' }),
    basedOnRunId: Id,
    upstreamMode: Words(['last_run']),
  },
  { $id: 'TransformPreview' },
);
