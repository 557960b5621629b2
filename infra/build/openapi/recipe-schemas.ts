import type { TSchema } from 'typebox';
import * as Type from 'typebox';
import { OPS, type OpName } from '../../../shared/data/recipe/ops.ts';
import { FlowletArguments } from '../../../shared/domains/pipelines/flowlets/index.ts';
import { StrictObject, StringEnum, TaggedUnion } from '../../../shared/platform/http/schemas.ts';
import { OPERATION_EXAMPLES } from './recipe-examples.ts';
import { named, nameOf } from './schema-names.ts';

const OPERATIONS = Object.entries(OPS).map(([name, schema]) =>
  named(schema, `${nameOf(name)}Operation`, OPERATION_EXAMPLES[name as OpName]),
);

const RecipeOperation = TaggedUnion('op', OPERATIONS, {
  $id: 'RecipeOperation',
  description: 'An operation of a recipe, on the rows of the one before.',
});

const use = {
  op: Type.Literal('flowlet'),
  flowletId: Type.String({ minLength: 1, maxLength: 64 }),
  params: FlowletArguments.properties.params,
  columnMap: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'Columns of the rows, by the columns of the first input of the flowlet that they are used for.',
    }),
  ),
};

const FlowletOperation = StrictObject(
  {
    ...use,
    version: Type.Optional(
      Type.Integer({
        description: 'The version that was current when the pipeline was saved; not read from requests.',
      }),
    ),
    ops: Type.Optional(
      Type.Array(RecipeOperation, {
        description: 'What the flowlet stood for when the pipeline was saved; not read from requests.',
      }),
    ),
  },
  { $id: 'FlowletOperation', description: 'Uses a flowlet in the recipe of a step.' },
);

const StepOperation = TaggedUnion('op', [...OPERATIONS, FlowletOperation], {
  $id: 'StepOperation',
  description: 'An operation of a recipe, or a flowlet.',
});

/** Operations of flowlet instances, of steps, and of flowlets. */
export const RECIPE_SCHEMAS: TSchema[] = [
  RecipeOperation,
  StepOperation,
  Type.Union(
    [StepOperation, Type.Object({ op: StringEnum([...Object.keys(OPS), 'flowlet']) }, { additionalProperties: true })],
    {
      $id: 'FlowletTemplate',
      description:
        'An operation of a recipe, or a flowlet, with parameters: `{"param": "<name>"}` may stand for any value, column or type in it, and `{{ flowlet.<name> }}` within a `condition` or an `expression`.',
    },
  ),
];
