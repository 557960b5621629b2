/** Rows that gates keep out of a dataset are loaded into another one, whose name ends so. */
export const QUARANTINE_SUFFIX = '__quarantine';

/** The dataset whose rejected rows a dataset holds, if it holds any. */
export const quarantinedFrom = (name: string): string | undefined =>
  name.toLowerCase().endsWith(QUARANTINE_SUFFIX) ? name.slice(0, -QUARANTINE_SUFFIX.length) : undefined;
