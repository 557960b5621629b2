import type { SourceReads } from '../../semantics/row-rights/index.ts';
import type { Dag } from './dag.ts';

/** What the loads of a definition write besides datasets. */
export interface SourceWrites {
  tables: readonly SourceReads[];
  /** The sources with files of theirs. */
  files: readonly string[];
}

export function writesOfDag({ steps }: Pick<Dag, 'steps'>): SourceWrites {
  const targets = steps.flatMap(({ type, config }) => (type === 'load' ? [config.target as SourceTarget] : []));
  return {
    tables: targets.flatMap(({ kind, sourceId, schema = '', table }) =>
      kind === 'table' && sourceId !== undefined && table !== undefined
        ? [{ sourceId, tables: [{ schema, table }] }]
        : [],
    ),
    files: targets.flatMap(({ kind, sourceId }) => (kind === 'files' && sourceId !== undefined ? [sourceId] : [])),
  };
}

interface SourceTarget {
  kind?: string;
  sourceId?: string;
  schema?: string;
  table?: string;
}
