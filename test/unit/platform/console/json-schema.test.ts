import { describe, expect, it } from 'vitest';
import {
  controlOf,
  initialValue,
  labelOf,
  withoutEmpty,
  withTitles,
} from '../../../../functions/platform/console/site/ui/json-schema.ts';

const variant = (kind: string, more = {}) => ({
  type: 'object',
  properties: { kind: { const: kind }, ...more },
  required: ['kind'],
});

describe('a form from a JSON Schema', () => {
  it('asks for each value by the control that fits', () => {
    const kinds = [
      { type: 'string' },
      { type: 'string', maxLength: 65_536 },
      { type: 'integer' },
      { type: 'boolean' },
      { type: 'string', enum: ['a', 'b'] },
      { anyOf: [{ const: 'a' }, { const: 'b' }] },
      { type: 'array', items: { type: 'string' } },
      { type: 'object', properties: { a: { type: 'string' } } },
      { type: 'object', additionalProperties: { type: 'string' } },
      { oneOf: [variant('link'), variant('page')] },
      { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      { const: 'postgres' },
      {},
    ].map((schema) => controlOf(schema).kind);
    expect(kinds).toEqual([
      ...[
        'text',
        'long',
        'number',
        'check',
        'choice',
        'choice',
        'list',
        'object',
        'map',
        'variants',
        'number',
        'fixed',
      ],
      'json',
    ]);
  });

  it('begins with the defaults and with what is required', () => {
    const schema = {
      type: 'object',
      properties: {
        host: { type: 'string' },
        port: { type: 'integer', default: 5432 },
        ssl: { type: 'boolean', default: true },
        note: { type: 'string' },
        endpoints: {
          type: 'array',
          minItems: 1,
          items: { type: 'object', properties: { format: { type: 'string', default: 'json' } } },
        },
        pagination: { oneOf: [variant('link'), variant('page')] },
      },
      required: ['host', 'endpoints'],
    };
    expect(initialValue(schema)).toEqual({ port: 5432, ssl: true, endpoints: [{ format: 'json' }] });
    expect(initialValue(schema.properties.pagination)).toEqual({ kind: 'link' });
  });

  it('has labels that read, and leaves out what is empty', () => {
    expect(['caCertificate', 'baseUrl', 'host', 'access_key_id'].map((name) => labelOf(name))).toEqual([
      'CA certificate',
      'Base URL',
      'Host',
      'Access key ID',
    ]);
    const named = withTitles({ items: { properties: { op: { type: 'string' }, n: {} } } }, { op: 'Comparison' });
    expect(named.items?.properties).toEqual({ op: { type: 'string', title: 'Comparison' }, n: {} });
    expect(withoutEmpty({ a: '', b: undefined, c: [{ d: '', e: 0 }], f: false, g: null })).toEqual({
      c: [{ e: 0 }],
      f: false,
      g: null,
    });
  });
});
