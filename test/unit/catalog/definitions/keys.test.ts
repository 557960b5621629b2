import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keysOf, longKeyOf, slugOf } from '../../../../shared/domains/catalog/definitions/index.ts';

const KEY = /^[a-z0-9][a-z0-9-]{0,62}$/;
const object = (id: string, name: string) => ({ id: `00000000-0000-7000-8000-0000${id}`, name });

describe('keys from names', () => {
  it.each([
    ['Top customers', 'top-customers'],
    ['  Überschuss (EUR) ', 'uberschuss-eur'],
    ['売上', 'untitled'],
    [`${'a'.repeat(62)} b`, 'a'.repeat(62)],
  ])('%s is %s', (name, key) => {
    expect(slugOf(name)).toBe(key);
  });

  it('are keys, unique, and those that were given stay', () => {
    const names = fc.array(fc.string({ unit: 'grapheme', maxLength: 80 }), { maxLength: 20 });
    fc.assert(
      fc.property(names, fc.boolean(), (all, isGiven) => {
        const objects = all.map((name, index) => object(String(index).padStart(8, '0'), name));
        const given = new Map(isGiven && objects[0] ? [[objects[0].id, 'mine']] : []);
        const keys = keysOf(objects, given);
        expect([...keys.keys()].sort()).toEqual(objects.map(({ id }) => id).sort());
        expect(new Set(keys.values()).size).toBe(objects.length);
        for (const key of keys.values()) expect(key).toMatch(KEY);
        for (const [id, key] of given) expect(keys.get(id)).toBe(key);
        for (const each of objects) expect(longKeyOf(each)).toMatch(KEY);
      }),
    );
  });

  it('have the end of the id where a name or a reserved word has the short one', () => {
    const objects = [object('aaaaaaaa', 'Orders'), object('bbbbbbbb', 'orders'), object('cccccccc', 'Datasets')];
    expect([...keysOf(objects, new Map(), ['datasets']).values()]).toEqual([
      'orders-aaaaaaaa',
      'orders-bbbbbbbb',
      'datasets-cccccccc',
    ]);
  });
});
