import { listAllDatasets } from '../../shared/datasets/list-all.ts';
import type { ObjectStore } from '../../shared/objects/object-store.ts';
import { findReferringPipelines } from '../../shared/pipelines/referrers.ts';
import type { Table } from '../../shared/storage/table.ts';
import type { FindReferrers } from './use-cases/delete-data-source.ts';

/** Pipelines that extract from the source or load into it, and datasets that are refreshed from it. */
export function sourceReferrers(table: Table, objects: ObjectStore): FindReferrers {
  return async (workspaceId, sourceId) => {
    const isIt = (config: unknown) =>
      typeof config === 'object' && config !== null && 'sourceId' in config && config.sourceId === sourceId;
    const [pipelines, datasets] = await Promise.all([
      findReferringPipelines(table, objects, workspaceId, ({ config }) => isIt(config) || isIt(config.target)),
      listAllDatasets(table, workspaceId),
    ]);
    const readers = datasets.filter(({ source }) => isIt(source));
    return [...pipelines, ...readers.map(({ id, name }) => ({ type: 'dataset' as const, id, name }))];
  };
}
