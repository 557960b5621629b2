import type { LineageNode } from '../graph.ts';
import type { LineageObject } from '../types.ts';

/**
 * What a removal does to an object, worst first: it fails, wholly or in part; it loses columns; it keeps its rows but
 * gets no new ones; or it may be affected, but nothing records what it uses.
 */
export const EFFECTS = ['breaks', 'loses_columns', 'outdated', 'unknown'] as const;
export type Effect = (typeof EFFECTS)[number];

export interface Affected extends LineageObject {
  effect: Effect;
  /** The columns, fields, measures, cards or blocks that break or are lost; empty for the object as a whole. */
  columns: LineageNode['columns'];
}

export interface Impact {
  affected: Affected[];
  /** Whether more objects were affected than are listed. */
  isTruncated: boolean;
}

/** What has become of an object. Names of columns are in lower case. */
export interface Outcome {
  effect: Effect;
  /** Columns that readers of the object do not find any more. */
  lost: ReadonlySet<string>;
  /** Parts that fail; `all` for the object as a whole. */
  broken: ReadonlySet<string> | 'all';
}

const NOTHING: ReadonlySet<string> = new Set();

export const isBroken = (outcome: Outcome | undefined, part: string | null): boolean =>
  outcome !== undefined &&
  (outcome.broken === 'all' || (part !== null && (outcome.broken.has(part) || outcome.lost.has(part.toLowerCase()))));

export const breaks = (broken: Outcome['broken'] = 'all'): Outcome => ({ effect: 'breaks', lost: NOTHING, broken });
export const loses = (lost: ReadonlySet<string>): Outcome => ({ effect: 'loses_columns', lost, broken: NOTHING });
export const OUTDATED: Outcome = { effect: 'outdated', lost: NOTHING, broken: NOTHING };
export const UNKNOWN: Outcome = { effect: 'unknown', lost: NOTHING, broken: NOTHING };

export const isSameOutcome = (a: Outcome | undefined, b: Outcome | undefined): boolean => textOf(a) === textOf(b);

function textOf(outcome: Outcome | undefined): string {
  if (!outcome) return '';
  const { effect, lost, broken } = outcome;
  return JSON.stringify([effect, [...lost].sort(), broken === 'all' ? broken : [...broken].sort()]);
}
