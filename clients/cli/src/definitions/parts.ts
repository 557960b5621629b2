/** A mapping of a file. */
export type Mapping = Record<string, unknown>;

export const isMapping = (value: unknown): value is Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The items of a list by their ids or names, as the platform compares them; undefined if they have none. */
export function itemsByName(value: readonly unknown[]): Map<string, unknown> | undefined {
  const names = value.map(nameOfItem);
  if (names.some((name) => name === undefined) || new Set(names).size < names.length) return undefined;
  return new Map(value.map((item, index) => [names[index]!, item]));
}

export function nameOfItem(item: unknown): string | undefined {
  if (!isMapping(item)) return undefined;
  return [item.id, item.name].find((each): each is string => typeof each === 'string');
}
