import type { TObject, TSchema } from 'typebox';
import * as Type from 'typebox';
import {
  EXTRACT_CONFIGS,
  LOAD_CONFIGS,
  RouteConfig,
  STEP_TYPES,
  Step,
  type StepType,
  TRANSFORM_SQL_CONFIGS,
  TRIGGERS,
  TransformCodeConfig,
  Trigger,
} from '../../../shared/domains/pipelines/definition/index.ts';
import { StrictObject, TaggedUnion } from '../../../shared/platform/http/schemas.ts';
import { named, nameOf } from './schema-names.ts';
import { CONFIG_EXAMPLES } from './step-examples.ts';

const withExample = (type: StepType, config: TSchema): TSchema => {
  const { $id } = config as TSchema & { $id: string };
  return named(config, $id, CONFIG_EXAMPLES[type][$id]!);
};

const unionOf = (type: StepType, variants: readonly TSchema[], description: string): TSchema =>
  Type.Union(
    variants.map((config) => withExample(type, config)),
    { $id: `${nameOf(type)}Config`, description },
  );

/** The configuration of each step type, as checked when a definition is saved. */
const CONFIGS: Record<StepType, TSchema> = {
  extract: unionOf(
    'extract',
    EXTRACT_CONFIGS,
    'What to read from a data source or a dataset; the variants differ by `object`.',
  ),
  transform_sql: unionOf('transform_sql', TRANSFORM_SQL_CONFIGS, 'A statement, or the operations of a recipe.'),
  transform_code: withExample('transform_code', TransformCodeConfig),
  route: withExample('route', RouteConfig),
  load: unionOf('load', LOAD_CONFIGS, 'Where to load the rows, by the kind of `target` and by `mode`.'),
};

const DESCRIPTIONS: Record<StepType, string> = {
  extract: 'A step that reads rows from a data source or a dataset.',
  transform_sql: 'A step that transforms the rows of others with SQL or a recipe.',
  transform_code: 'A step that transforms the rows of another with JavaScript or TypeScript.',
  route: 'A step that sends the rows of another to ports, by conditions.',
  load: 'A step that loads the rows of another into a dataset, a table or files.',
};

const stepOf = (type: StepType): TObject =>
  StrictObject(
    { ...Step.properties, type: Type.Literal(type), config: CONFIGS[type] },
    { $id: `${nameOf(type)}Step`, description: DESCRIPTIONS[type] },
  );

const triggers = Object.entries(TRIGGERS).map(([kind, trigger]) => ({
  ...trigger,
  properties: { ...trigger.properties, kind: Type.Literal(kind) },
}));

/** Steps and triggers as unions with a discriminator; the server determines the variant itself. */
export const STEP_SCHEMAS: TSchema[] = [
  TaggedUnion('type', STEP_TYPES.map(stepOf), { ...namedAs(Step) }),
  TaggedUnion('kind', triggers as unknown as TObject[], { ...namedAs(Trigger) }),
];

function namedAs(schema: TSchema): { $id: string; description: string } {
  const { $id, description } = schema as TSchema & { $id: string; description: string };
  return { $id, description };
}
