import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { sharedParts } from '../../../infra/build/shared-parts.ts';

const place = {
  type: 'object',
  properties: { type: { type: 'string', description: 'x'.repeat(300) }, limit: { type: 'integer', default: 10 } },
  required: ['type'],
  additionalProperties: false,
};
const schemas = new Map<string, object>([
  ['create', { type: 'object', properties: { place }, required: ['place'] }],
  ['change', { type: 'object', properties: { places: { type: 'array', items: place } } }],
  ['try', { type: 'object', properties: { place }, required: ['place'] }],
]);

/** What a validator says of a value, and what it makes of it. */
function verdicts(all: ReadonlyMap<string, object>) {
  const ajv = new Ajv2020({ useDefaults: true, allErrors: true, inlineRefs: false });
  for (const [name, schema] of all) ajv.addSchema(schema, name);
  const issues = (name: string, value: object) => {
    const valid = ajv.validate(name, value);
    return [valid, value, ajv.errors?.map(({ instancePath, keyword, params }) => ({ instancePath, keyword, params }))];
  };
  return [
    issues('create', { place: { type: 'a' } }),
    issues('create', { place: { limit: 'b', more: 1 } }),
    issues('change', { places: [{ type: 'a' }, { type: 1 }] }),
    issues('try', {}),
  ];
}

describe('sharedParts', () => {
  it('says once what several schemas say, and whole schemas too', () => {
    const { whole, parts } = sharedParts(schemas);
    expect(parts.size).toBe(2);
    expect(whole.get('create')).toEqual(whole.get('try'));
    expect(JSON.stringify([...whole.values(), ...parts.values()]).match(/additionalProperties/g)).toHaveLength(1);
  });

  it('leaves every verdict, every place and every default as it was', () => {
    const { whole, parts } = sharedParts(schemas);
    expect(verdicts(new Map([...parts, ...whole]))).toEqual(verdicts(schemas));
  });
});
