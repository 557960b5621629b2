import { mentionedNames } from '../../../data/sql/mentioned-names.ts';
import type { Dataset, DatasetSource } from '../../warehouse/datasets/index.ts';
import type { SourcePlace } from '../models/index.ts';

/** What a statement or a definition reads. Where that is not certain, all that it may read. */
export interface Reads {
  sources: readonly SourceReads[];
  /** Names of datasets, in any case. */
  datasets: readonly string[] | 'all';
}

export interface SourceReads {
  sourceId: string;
  /** `all` for SQL of a database, which reads tables also by views and functions. */
  tables: readonly SourcePlace[] | 'all';
}

export const READS_NOTHING: Reads = { sources: [], datasets: [] };

/**
 * What a statement over datasets reads: every name that stands where a table may stand. These are all tables that the
 * statement can read, and names of its own common table expressions, which do no harm: only a protected dataset of that
 * name counts.
 */
export const readsOfStatement = (sql: string): Reads => ({ sources: [], datasets: mentionedNames(sql) });

/** Files are not tables, so that no model can protect them. */
export function readsOfDatasetSource(source: DatasetSource | null): Reads {
  switch (source?.kind) {
    case 'datasets':
      return readsOfStatement(source.sql);
    case 'query':
      return ofSource({ sourceId: source.sourceId, tables: 'all' });
    case 'table': {
      const { sourceId, schema = '', table } = source;
      return ofSource({ sourceId, tables: [{ schema, table }] });
    }
    default:
      return READS_NOTHING;
  }
}

/** What the rows of a dataset are from, and the dataset itself. */
export function readsOfDataset({ name, source }: Pick<Dataset, 'name' | 'source'>): Reads {
  const { sources, datasets } = readsOfDatasetSource(source);
  return { sources, datasets: datasets === 'all' ? datasets : [...datasets, name] };
}

const ofSource = (read: SourceReads): Reads => ({ sources: [read], datasets: [] });

export const readsAnything = ({ sources, datasets }: Reads): boolean =>
  sources.length > 0 || datasets === 'all' || datasets.length > 0;
