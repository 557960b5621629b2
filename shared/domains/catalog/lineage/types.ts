/** The kinds of objects in a lineage, from where rows come from to where people look at them. */
export const LINEAGE_TYPES = [
  'source',
  'cdc-stream',
  'pipeline',
  'dataset',
  'saved-query',
  'model',
  'metric',
  'blend',
  'dashboard',
  'report',
  'story',
  'alert',
  'metric-digest',
  'share',
] as const;
export type LineageType = (typeof LINEAGE_TYPES)[number];

export interface LineageRef {
  type: LineageType;
  id: string;
}

/** An object as a reader sees it. */
export interface LineageObject extends LineageRef {
  name: string;
  /** Its page for people, relative to the address of the API; null if it has none. */
  path: string | null;
  /** The user who answers for it. */
  ownerId: string | null;
}

/** What an object is made of. */
export interface Origins {
  refs: readonly LineageRef[];
  /** False if it may be made of more, such as a dataset whose name is known only in a run. */
  isComplete: boolean;
}

/** Distinguishes references in sets and maps. */
export const refKey = ({ type, id }: LineageRef): string => `${type} ${id}`;
