import type { Static } from 'typebox';
import * as Type from 'typebox';
import { rollupProperties } from '../../../../shared/domains/semantics/models/index.ts';
import { Page } from '../../../../shared/platform/http/schemas.ts';
import { optional, partProperties, stampProperties } from '../schemas.ts';

export const RollupParams = Type.Object({
  modelId: Type.String({ ...partProperties.modelId, description: 'The id of the model.' }),
  rollupId: Type.String({ format: 'uuid', description: 'The id of the rollup.' }),
});

export const Rollup = Type.Object(
  { ...partProperties, ...rollupProperties, ...stampProperties },
  {
    $id: 'ModelRollup',
    description: 'Aggregates that are stored, so that questions which they fit are answered fast.',
  },
);
export type Rollup = Static<typeof Rollup>;
export const RollupPage = Page(Rollup);

const { name, dimensions, measures } = rollupProperties;
const input = {
  name,
  dimensions: Type.Unsafe<Static<typeof dimensions>>({
    ...dimensions,
    description: 'What questions group and filter by. Each row of the aggregated table must have one value of it.',
  }),
  measures: Type.Unsafe<Static<typeof measures>>({
    ...measures,
    description: 'What questions compute, all from the rows of one table.',
  }),
};

export const CreateRollup = Type.Object(
  {
    name: input.name,
    dimensions: Type.Unsafe<Static<typeof dimensions>>({ ...input.dimensions, default: [] }),
    measures: input.measures,
  },
  { $id: 'CreateModelRollup', description: 'A rollup of the model.' },
);
export type CreateRollup = Static<typeof CreateRollup>;

export const UpdateRollup = Type.Object(optional(input), {
  $id: 'UpdateModelRollup',
  description: 'Fields to change; omitted fields keep their values. Lists are replaced as a whole.',
});
export type UpdateRollup = Static<typeof UpdateRollup>;
