export interface CatalogColumn {
  name: string;
  type: string;
}

export interface CatalogTable {
  /** Of a database; datasets have none. */
  schema?: string;
  name: string;
  /** Absent until they are read. */
  columns?: readonly CatalogColumn[];
  rowCount?: number | null;
  /** Whether the number of rows is the estimate of a database. */
  isEstimated?: boolean;
}
