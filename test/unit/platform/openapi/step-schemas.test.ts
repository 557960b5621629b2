import { describe, expect, it } from 'vitest';
import { GATE_EXAMPLES } from '../../../../infra/build/openapi/gate-examples.ts';
import { OPERATION_EXAMPLES } from '../../../../infra/build/openapi/recipe-examples.ts';
import { nameOf } from '../../../../infra/build/openapi/schema-names.ts';
import { CONFIG_EXAMPLES } from '../../../../infra/build/openapi/step-examples.ts';
import { STEP_TYPES, type StepType } from '../../../../shared/domains/pipelines/definition/dag.ts';
import { configIssues } from '../../../../shared/domains/pipelines/definition/step-configs.ts';
import { DOCUMENT, issuesIn } from '../../../support/api-document.ts';

type Config = Record<string, unknown>;

/** Steps whose settings hold every operation and every gate somewhere. */
const configs: [name: string, type: StepType, config: Config][] = [
  ...STEP_TYPES.flatMap((type) =>
    Object.entries(CONFIG_EXAMPLES[type]).map(([name, config]): [string, StepType, Config] => [name, type, config]),
  ),
  ...Object.entries(OPERATION_EXAMPLES).map(([name, op]): [string, StepType, Config] => [
    `operation ${name}`,
    'transform_sql',
    { ops: [op] },
  ]),
  ...Object.entries(GATE_EXAMPLES).map(([name, gate]): [string, StepType, Config] => [
    `gate ${name}`,
    'transform_sql',
    { sql: 'SELECT 1 AS id', gates: [gate] },
  ]),
];

const documentFinds = (type: StepType, config: unknown): boolean => {
  const { config: schema } = DOCUMENT.components.schemas[`${nameOf(type)}Step`].properties;
  return issuesIn(schema, config) !== '';
};

const serverFinds = (type: StepType, config: Config): boolean =>
  configIssues({ type, config }, '/dag/steps/0', new Set()).length > 0;

/** Copies of a value, each with one thing wrong or missing. */
function* spoilt(value: unknown): Generator<{ change: string; value: unknown }> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const inner of spoilt(item)) {
        yield { change: `/${index}${inner.change}`, value: value.with(index, inner.value) };
      }
    }
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  yield { change: ' with an unknown member', value: { ...value, $unknown: { $wrong: true } } };
  for (const [name, member] of Object.entries(value)) {
    const { [name]: _without, ...others } = value as Config;
    yield { change: ` without ${name}`, value: others };
    yield { change: `/${name} of a wrong type`, value: { ...value, [name]: { $wrong: [[true]] } } };
    for (const inner of spoilt(member)) {
      yield { change: `/${name}${inner.change}`, value: { ...value, [name]: inner.value } };
    }
  }
}

describe('the settings of steps in the document', () => {
  it.each(configs)('are those that the server accepts: %s', (_name, type, config) => {
    expect(issuesIn(DOCUMENT.components.schemas[`${nameOf(type)}Step`].properties.config, config)).toBe('');
    expect(configIssues({ type, config }, '', new Set())).toEqual([]);
  });

  it.each(configs)('are as strict as the server, and never stricter: %s', (_name, type, config) => {
    const changed = [...spoilt(config)];
    expect(changed.length).toBeGreaterThan(3);
    for (const { change, value } of changed) {
      const server = serverFinds(type, value as Config);
      const document = documentFinds(type, value);
      // What must not be left out may depend on other members, which only the server knows.
      if (change.includes(' without ')) expect(!document || server, change).toBe(true);
      else expect([document, server], change).toEqual([true, true]);
    }
  });

  it('has an example for every variant', () => {
    const { schemas } = DOCUMENT.components;
    const variants = Object.values(CONFIG_EXAMPLES).flatMap((examples) => Object.keys(examples));
    expect(variants.filter((name) => schemas[name].examples?.length !== 1)).toEqual([]);
    const declared = ['ExtractConfig', 'TransformSqlConfig', 'LoadConfig'].flatMap((name) =>
      schemas[name].anyOf.map(({ $ref }: { $ref: string }) => $ref.slice('#/components/schemas/'.length)),
    );
    expect(variants.sort()).toEqual([...declared, 'TransformCodeConfig', 'RouteConfig'].sort());
  });
});
