import type { TObject, TSchema } from 'typebox';
import * as Type from 'typebox';
import { TEST_CONFIGS, TEST_TYPES, type TestType, WITHOUT_COLUMN } from '../../../shared/data/quality/tests.ts';
import { Gate, GateList } from '../../../shared/domains/pipelines/definition/index.ts';
import { StrictObject, TaggedUnion } from '../../../shared/platform/http/schemas.ts';
import { GATE_EXAMPLES } from './gate-examples.ts';
import { nameOf } from './schema-names.ts';

/** The gates of a step. The route accepts any shape, because the server checks each gate by its type. */
export const GATE_SCHEMAS: TSchema[] = [
  {
    ...GateList,
    items: TaggedUnion('type', TEST_TYPES.map(gateOf), {
      $id: 'QualityGate',
      description: 'A test of the rows of a step, and what to do when it fails.',
    }),
    $id: 'QualityGates',
    description: 'Tests of the rows. Their results are in the step of the run.',
  },
];

function gateOf(type: TestType): TObject {
  const { description, ...config } = TEST_CONFIGS[type] as TSchema & { description?: string; required?: string[] };
  const { column, config: _config, ...members } = Gate.properties;
  const required = { ...column };
  const isConfigured = config.required !== undefined && config.required.length > 0;
  return StrictObject(
    {
      ...members,
      type: Type.Literal(type),
      ...(WITHOUT_COLUMN.has(type) ? {} : { column: type === 'unique' ? column : required }),
      config: isConfigured ? config : Type.Optional(config),
    },
    { $id: `${nameOf(type)}Gate`, description, examples: [GATE_EXAMPLES[type]] },
  );
}
