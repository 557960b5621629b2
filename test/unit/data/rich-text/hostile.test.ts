import { describe, expect, it } from 'vitest';
import { readRichText } from '../../../../shared/data/rich-text/index.ts';
import { countedIds, EVERYTHING } from './documents.ts';

type Json = Record<string, unknown>;

/** Every object within a value, with its path. */
function objectsIn(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, member]) => objectsIn(member, [...path, name]));
  return Array.isArray(value) ? inner : [path, ...inner];
}

/** A copy with the object at the path changed. */
function changed(path: readonly (string | number)[], change: (object: Json) => void): unknown {
  const copy = structuredClone(EVERYTHING) as unknown as Json;
  change(objectAt(copy, path));
  return copy;
}

const objectAt = (value: unknown, path: readonly (string | number)[]): Json =>
  path.reduce<Json>((object, name) => object[name] as Json, value as Json);

const PATHS = objectsIn(EVERYTHING).filter((path) => !path.includes('chartSpec') && !path.includes('rowKey'));

/** What a hostile client may do to any object of a valid content, or to those of one form. */
const ATTACKS: { name: string; change: (object: Json) => void; isFor?: (object: Json) => boolean }[] = [
  { name: 'an unknown member', change: (object) => Object.assign(object, { onclick: 'alert(1)' }) },
  { name: 'a style', change: (object) => Object.assign(object, { style: 'position:fixed' }) },
  {
    name: 'a prototype',
    change: (object) => Object.defineProperty(object, '__proto__', { value: {}, enumerable: true }),
  },
  {
    name: 'an unknown type',
    change: (object) => Object.assign(object, { type: 'script' }),
    isFor: (object) => 'type' in object,
  },
  {
    name: 'a list in place of attributes',
    change: (object) => Object.assign(object, { attrs: [] }),
    isFor: (object) => 'type' in object,
  },
];

const HOSTILE = PATHS.flatMap((path) =>
  ATTACKS.filter(({ isFor = () => true }) => isFor(objectAt(EVERYTHING, path))).map(({ name, change }) => ({
    name: `${name} at /${path.join('/')}`,
    content: changed(path, change),
  })),
);

describe('hostile documents', () => {
  it('are more than 300', () => {
    expect(HOSTILE.length).toBeGreaterThan(300);
  });

  it('are all refused, with the place of what is wrong', () => {
    const accepted = HOSTILE.filter(({ content }) => {
      const result = readRichText(content, { newId: countedIds() });
      return result.isValid || result.issues.length === 0;
    });
    expect(accepted.map(({ name }) => name)).toEqual([]);
  });
});
