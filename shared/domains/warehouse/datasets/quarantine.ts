/** Rows that gates keep out of a dataset are loaded into another one, whose name ends so. */
export const QUARANTINE_SUFFIX = '__quarantine';

/** The dataset of the rows that fail a test of data quality. */
export const failingRowsName = (tableName: string, testId: string): string =>
  `${tableName}__failing_${testId.slice(-12)}`;

const DERIVED = new RegExp(`^(.+)(${QUARANTINE_SUFFIX}|__failing_[0-9a-f]{12})$`, 'is');

/** The dataset whose rows another one holds: those that gates have rejected, or those that fail a test. */
export const derivedFrom = (name: string): string | undefined => DERIVED.exec(name)?.[1];

const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/**
 * The name of a dataset once another one is renamed, if it holds rows of that: its policies go for them by their name.
 * Undefined for other datasets.
 */
export function renamedAlong(name: string, renamed: { from: string; to: string }): string | undefined {
  const origin = derivedFrom(name);
  if (origin === undefined) return undefined;
  const next = isSameName(origin, renamed.from) ? renamed.to : renamedAlong(origin, renamed);
  return next === undefined ? undefined : next + name.slice(origin.length);
}
