import { describe, expect, it } from 'vitest';
import { DETAILED_SCHEMAS } from '../../../../infra/build/openapi/detailed-schemas.ts';
import { ROUTES } from '../../../support/samples.ts';

type Schema = Record<string, unknown>;

/** Texts, lists and free objects of what a request may send that have no bound, each with its place. */
function unboundedIn(schema: Schema, at: string): string[] {
  const within = [
    ...each(schema.items, `${at}/*`),
    ...each(schema.additionalProperties, `${at}/{name}`),
    ...['anyOf', 'oneOf', 'allOf', 'prefixItems'].flatMap((name) => each(schema[name], at)),
    ...['properties', 'patternProperties'].flatMap((name) =>
      Object.entries((schema[name] ?? {}) as Record<string, Schema>).flatMap(([member, value]) =>
        unboundedIn(value, `${at}/${name === 'properties' ? member : '{name}'}`),
      ),
    ),
  ];
  return isUnbounded(schema) ? [`${at}`, ...within] : within;
}

const each = (value: unknown, at: string): string[] =>
  [value].flat().flatMap((one) => (typeof one === 'object' && one !== null ? unboundedIn(one as Schema, at) : []));

function isUnbounded(schema: Schema): boolean {
  const { type } = schema;
  if ('const' in schema || 'enum' in schema || 'anyOf' in schema || 'oneOf' in schema || 'allOf' in schema)
    return false;
  if (type === 'string') return !('maxLength' in schema || isShortForm(schema));
  if (type === 'array') return !('maxItems' in schema);
  if (type === 'object') return isFree(schema) && !('maxProperties' in schema);
  return type === undefined;
}

const isFree = ({ properties, additionalProperties, patternProperties }: Schema) =>
  patternProperties !== undefined || (additionalProperties ?? properties === undefined) !== false;

/** A format or a pattern that no long text has: anchored, and without repetitions that have no end. */
function isShortForm({ format, pattern }: Schema): boolean {
  if (format === 'uuid' || format === 'date') return true;
  return typeof pattern === 'string' && pattern.startsWith('^') && pattern.endsWith('$') && !ENDLESS.test(pattern);
}

const ENDLESS = /(?<!\\)(?:[*+]|\{\d+,\})/;

const SCALARS: unknown[] = ['string', 'number', 'integer', 'boolean'];

/** The lists of a schema whose items have to differ, with the types of their items. */
function uniqueLists(value: unknown, at: string): { at: string; types: unknown[] }[] {
  if (typeof value !== 'object' || value === null) return [];
  const { uniqueItems, items } = value as { uniqueItems?: boolean; items?: Schema };
  const within = Object.entries(value).flatMap(([name, part]) => uniqueLists(part, `${at}/${name}`));
  return uniqueItems === true ? [{ at, types: [items?.type].flat() }, ...within] : within;
}

/**
 * Places whose bound is elsewhere: each is at most a body of 1 MiB, and the named check knows what may stand there.
 */
const CHECKED_ELSEWHERE: Record<string, string> = {
  'body/dag/steps/*/config/{name}': 'configIssues, by the type of the step; its schemas are tested below',
  'validatePipeline body/dag': 'checkDefinition lists the issues of any object',
  'validatePipeline body/dag/{name}': 'checkDefinition lists the issues of any object',
  'saveFlowlet body/ops/*': 'the operations of a flowlet, whose schemas are tested below',
  'saveFlowlet body/ops/*/{name}': 'the operations of a flowlet, whose schemas are tested below',
  'suggestOps body/currentOps/*': 'the operations of a recipe, whose schemas are tested below',
  'suggestOps body/currentOps/*/{name}': 'the operations of a recipe, whose schemas are tested below',
  'updateDataSource body/config/{name}': 'the settings of the type of the source, tested below',
  'updateDataSource body/secrets/{name}': 'the secrets of the type of the source, tested below',
  'runPipeline body/parameters/{name}': 'resolveParameters, by the declared parameters of the pipeline',
  'startBackfill body/parameters/{name}': 'resolveParameters, by the declared parameters of the pipeline',
  'createQualityTest body/config/{name}': 'checkTest, by the type of the test; the schemas of gates are tested below',
  'updateQualityTest body/config/{name}': 'checkTest, by the type of the test; the schemas of gates are tested below',
  'body/response/clientExtensionResults/{name}': 'extensions of authenticators, which nothing reads',
  'callMcp body/params/{name}': 'the protocol, and the arguments by the tool and by the operations that it calls',
  'finishOidc query': 'identity providers add parameters of their own, which nothing reads',
  'runByWebhook body': 'webhookTrigger: at most 256 KiB',
  'runByWebhook body/{name}': 'webhookTrigger: at most 256 KiB',
};

const isKnown = (place: string) =>
  Object.keys(CHECKED_ELSEWHERE).some((known) => place === known || place.endsWith(` ${known}`));

/** The same for parts of the settings that code checks. */
const CHECKED_APART: Record<string, string> = {
  'Step/config/gates': 'the schema QualityGates',
  'StepOperation/columnMap': 'mapIssues, by the columns of the flowlet',
  'StepOperation/columnMap/{name}': 'mapIssues, by the columns of the flowlet',
  'StepOperation/ops': 'never read from requests',
  'FlowletTemplate/columnMap': 'mapIssues, by the columns of the flowlet',
  'FlowletTemplate/columnMap/{name}': 'mapIssues, by the columns of the flowlet',
  'FlowletTemplate/ops': 'never read from requests',
  FlowletTemplate: 'a template with parameters, which is checked with their values as a StepOperation',
};

const PARTS = ['params', 'query', 'body'] as const;

describe('what requests may send', () => {
  // Messages of SCIM are open; `readValue` bounds what is stored of them.
  const found = ROUTES.flatMap((route) => PARTS.flatMap((part) => each(route[part], `${route.operationId} ${part}`)));

  it('has a bound for every text, list and free object', () => {
    expect(found.filter((place) => !isKnown(place))).toEqual([]);
  });

  it('has lists without repeated items only of texts, whose comparison is linear in their number', () => {
    const lists = ROUTES.flatMap((route) =>
      PARTS.flatMap((part) => uniqueLists(route[part], `${route.operationId} ${part}`)),
    );
    expect(lists.filter(({ types }) => types.some((type) => !SCALARS.includes(type)))).toEqual([]);
    expect(lists.length).toBeGreaterThan(10);
  });

  it.each(Object.keys(CHECKED_ELSEWHERE))('has the known exception %s still', (known) => {
    expect(found.some((place) => place === known || place.endsWith(` ${known}`))).toBe(true);
  });

  it.each([...DETAILED_SCHEMAS].filter(([name]) => name !== 'Problem'))(
    'has a bound for everything in the settings that code checks: %s',
    (name, schema) => {
      expect(each(schema, name).filter((place) => !(place in CHECKED_APART))).toEqual([]);
    },
  );
});
