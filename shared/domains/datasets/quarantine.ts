/** Rows that gates keep out of a dataset are loaded into another one, whose name ends so. */
export const QUARANTINE_SUFFIX = '__quarantine';

/** The dataset of the rows that fail a test of data quality. */
export const failingRowsName = (tableName: string, testId: string): string =>
  `${tableName}__failing_${testId.slice(-12)}`;

const DERIVED = new RegExp(`^(.+)(${QUARANTINE_SUFFIX}|__failing_[0-9a-f]{12})$`, 'is');

/** The dataset whose rows another one holds: those that gates have rejected, or those that fail a test. */
export const derivedFrom = (name: string): string | undefined => DERIVED.exec(name)?.[1];
