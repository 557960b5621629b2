const MAX_LENGTH = 63;
const ID_END = 8;

/** The key of an object that was not given one: its name in small letters. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const slug = plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return slug.slice(0, MAX_LENGTH).replace(/-+$/, '') || 'untitled';
}

interface Named {
  id: string;
  name: string;
}

/**
 * The key of each object: the one that it was given, otherwise one from its name. Where several would have the same
 * one, the ends of their ids tell them apart (`longKeyOf`).
 */
export function keysOf(
  objects: readonly Named[],
  given: ReadonlyMap<string, string>,
  reserved: readonly string[] = [],
): Map<string, string> {
  const taken = new Set([...given.values(), ...reserved]);
  const counts = new Map<string, number>();
  const unnamed = objects.filter(({ id }) => !given.has(id));
  for (const { name } of unnamed) counts.set(slugOf(name), (counts.get(slugOf(name)) ?? 0) + 1);
  const derived = unnamed.map(({ id, name }): [string, string] => {
    const slug = slugOf(name);
    return [id, taken.has(slug) || counts.get(slug)! > 1 ? longKeyOf({ id, name }) : slug];
  });
  const known = objects.flatMap(({ id }): [string, string][] => (given.has(id) ? [[id, given.get(id)!]] : []));
  return new Map([...known, ...derived]);
}

/**
 * A key that leads to an object without one even after others of its name have come or gone. Keys that the list of
 * definitions showed a moment ago stay valid.
 */
export const longKeyOf = ({ id, name }: Named): string =>
  `${slugOf(name)
    .slice(0, MAX_LENGTH - ID_END - 1)
    .replace(/-+$/, '')}-${id.slice(-ID_END)}`;
