import { type LineageRef, refKey } from '../types.ts';

/**
 * What an object consists of: a column of a dataset, a field or measure of a model, a card of a dashboard. Null for
 * the object as a whole: as a part, of a kind without parts; as an origin, all of its parts.
 */
export interface PartRef extends LineageRef {
  part: string | null;
}

export interface ObjectPart {
  /** Null for a kind without parts. */
  id: string | null;
  name: string;
  inputs: readonly PartRef[];
}

/** The parts of an object as far as they are known. */
export interface ObjectParts {
  parts: readonly ObjectPart[];
  /** What decides which rows the object has, but not their values. */
  deciding: readonly PartRef[];
  /** Objects of which it is not known which parts the object uses. */
  unknown: readonly LineageRef[];
}

export const NO_PARTS: ObjectParts = { parts: [], deciding: [], unknown: [] };

/** Names of columns differ by more than case. */
export const isSamePart = (a: string | null, b: string | null): boolean =>
  a === b || (a !== null && b !== null && a.toLowerCase() === b.toLowerCase());

export const partKey = (ref: PartRef): string => JSON.stringify([refKey(ref), ref.part?.toLowerCase() ?? null]);

/** A column of a table in a data source. */
export const sourceColumn = (place: readonly (string | null | undefined)[], column: string): string =>
  [...place.filter((each) => each !== undefined && each !== null && each !== ''), column].join('.');

export const distinctParts = (refs: readonly PartRef[]): PartRef[] => [
  ...new Map(refs.map((ref) => [partKey(ref), ref])).values(),
];
