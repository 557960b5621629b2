import type { Static } from 'typebox';
import * as Type from 'typebox';
import { DatasetColumn } from '../../../../shared/data/tables/data-file.ts';
import { Id, Nullable, StringEnum, Timestamp } from '../../../../shared/platform/http/schemas.ts';

const Transformation = Type.Object(
  {
    type: StringEnum(['DIRECT', 'INDIRECT']),
    subtype: StringEnum([
      'IDENTITY',
      'TRANSFORMATION',
      'AGGREGATION',
      'JOIN',
      'GROUP_BY',
      'FILTER',
      'SORT',
      'WINDOW',
      'CONDITIONAL',
    ]),
    masking: Type.Boolean(),
    description: Type.String(),
  },
  { $id: 'LineageTransformation', description: 'How a column was made of another, in the terms of OpenLineage.' },
);

const InputField = Type.Object(
  { node: Type.String(), column: Type.String(), transformations: Type.Array(Transformation) },
  { $id: 'LineageInputField', description: 'A column that another one, or the choice of rows, depends on.' },
);
export type InputField = Static<typeof InputField>;

export const LineageNode = Type.Object(
  {
    id: Type.String(),
    kind: StringEnum(['source', 'step', 'port', 'dataset']),
    name: Type.String(),
    columns: Nullable(Type.Array(DatasetColumn, { description: 'Null while they are unknown.' })),
    inputs: Type.Array(Type.String({ description: 'The id of a node whose rows it reads.' })),
  },
  { $id: 'LineageNode', description: 'A source, a step, a port of a route or a dataset.' },
);
export type LineageNode = Static<typeof LineageNode>;

export const Lineage = Type.Object(
  {
    pipelineId: Id,
    dagHash: Type.String(),
    nodes: Type.Array(LineageNode),
    fields: Type.Array(
      Type.Object({
        output: Type.Object({ node: Type.String(), column: Type.String() }),
        inputs: Type.Array(InputField),
      }),
    ),
    datasetInputs: Type.Array(Type.Object({ node: Type.String(), inputs: Type.Array(InputField) }), {
      description: 'Columns that decide which rows a node has.',
    }),
    completeness: Type.Record(Type.String(), StringEnum(['full', 'partial', 'opaque']), {
      description: 'How much of the lineage of each step is known, by its id.',
    }),
    observed: Nullable(
      Type.Object({
        runId: Id,
        finishedAt: Nullable(Timestamp),
        schemas: Type.Record(Type.String(), Type.Array(DatasetColumn)),
        rowCounts: Type.Record(Type.String(), Type.Integer()),
        driftFromStatic: Type.Array(
          Type.Object({
            stepId: Type.String(),
            added: Type.Array(Type.String(), { description: 'Columns of the run that the definition does not have.' }),
            removed: Type.Array(Type.String()),
          }),
        ),
      }),
    ),
  },
  { $id: 'Lineage', description: 'Where each column of a pipeline comes from.' },
);
export type Lineage = Static<typeof Lineage>;
