import { type Reads, readsAnything, type SourceReads } from '../../semantics/row-rights/index.ts';
import type { Dag, Step } from './dag.ts';

/** What the extracts of a definition read. A name that only a run knows may be any. Loads only write. */
export function readsOfDag({ steps }: Pick<Dag, 'steps'>): Reads {
  const all = steps.map(readsOfStep).filter(readsAnything);
  const datasets = all.map((reads) => reads.datasets);
  return {
    sources: all.flatMap(({ sources }) => sources),
    datasets: datasets.includes('all') ? 'all' : [...new Set(datasets.flat())],
  };
}

/**
 * What an extract reads: files are not tables, and a filter is SQL of the database, which may read other tables.
 */
export function readsOfStep({ type, config }: Pick<Step, 'type' | 'config'>): Reads {
  const { sourceId, object, filter } = config as ExtractLike;
  if (type !== 'extract' || !object) return of();
  if (typeof object.dataset === 'string')
    return { sources: [], datasets: isTemplate(object.dataset) ? 'all' : [object.dataset] };
  if (typeof sourceId !== 'string' || 'path' in object) return of();
  const place = 'stream' in object ? streamTable(object.table) : filter === undefined ? tableOf(object) : undefined;
  return of({ sourceId, tables: place ? [place] : 'all' });
}

/** A file that a definition reads. */
export interface FileRead {
  sourceId: string;
  path: string;
}

/** The files that the extracts of a definition read, with templates for what only a run knows. */
export const filesOfDag = ({ steps }: Pick<Dag, 'steps'>): FileRead[] =>
  steps.flatMap(({ type, config }) => {
    const { sourceId, object } = config as ExtractLike;
    const path = type === 'extract' ? object?.path : undefined;
    return typeof sourceId === 'string' && typeof path === 'string' ? [{ sourceId, path }] : [];
  });

interface ExtractLike {
  sourceId?: unknown;
  object?: Record<string, unknown> | null;
  filter?: unknown;
}

const of = (...sources: SourceReads[]): Reads => ({ sources, datasets: [] });

export const isTemplate = (text: string): boolean => text.includes('{{');

function tableOf({ schema = '', table }: Record<string, unknown>) {
  if (typeof schema !== 'string' || typeof table !== 'string' || isTemplate(schema) || isTemplate(table))
    return undefined;
  return { schema, table };
}

function streamTable(name: unknown) {
  if (typeof name !== 'string' || isTemplate(name)) return undefined;
  const [schema, table] = name.includes('.') ? name.split('.') : ['public', name];
  return { schema: schema!, table: table! };
}
