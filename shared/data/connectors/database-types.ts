/** The types of data sources that are queried in place. */
export type DatabaseType = 'postgres' | 'mysql';

export const isDatabase = <T extends { type: string }>(source: T): source is Extract<T, { type: DatabaseType }> =>
  source.type === 'postgres' || source.type === 'mysql';
