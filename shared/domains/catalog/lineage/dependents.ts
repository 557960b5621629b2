import type { ReferrerType } from '../../../platform/storage/references.ts';
import { referencesTo, type UsedKind } from '../../../platform/storage/uses.ts';
import { sourceReferences } from '../../warehouse/sources/index.ts';
import { loadsDataset, type Sight, TYPE_OF_USE } from './kinds.ts';
import { LINEAGE_TYPES, type LineageRef, type LineageType } from './types.ts';

/**
 * What may be made of an object. References outlive the use that they record, so each must be asked for its origins.
 */
export async function possibleDependents(sight: Sight, { type, id }: LineageRef): Promise<LineageRef[]> {
  const { parts } = sight;
  const recorded = await recordedReferrers(sight, { type, id });
  switch (type) {
    case 'dataset': {
      const dataset = (await parts.datasets()).get(id);
      if (!dataset) return recorded;
      const isRead = (names: readonly string[]) => names.some((name) => isSame(name, dataset.name));
      return [
        ...recorded,
        ...which('pipeline', await parts.pipelines(), ({ reads }) => isRead(reads.datasets)),
        ...which('dataset', await parts.derived(), isRead),
        ...which('model', await parts.modelTables(), isRead),
      ];
    }
    case 'pipeline': {
      const flows = (await parts.pipelines()).get(id);
      if (!flows) return recorded;
      return [
        ...[...flows.loads.sourceIds].map((sourceId) => ({ type: 'source', id: sourceId }) as const),
        ...which('dataset', await parts.datasets(), (dataset) => loadsDataset(flows.loads, dataset)),
      ];
    }
    case 'cdc-stream': {
      const stream = (await parts.streams()).find((each) => each.id === id);
      if (!stream) return recorded;
      return which('pipeline', await parts.pipelines(), ({ reads }) =>
        reads.streams.some(({ sourceId, streamId }) => sourceId === stream.sourceId && streamId === stream.streamId),
      );
    }
    case 'dashboard': {
      const watching = (await parts.alerts()).filter(
        ({ condition }) => condition.kind !== 'metric' && condition.source.dashboardId === id,
      );
      return [
        ...watching.map((alert) => ({ type: 'alert', id: alert.id }) as const),
        ...(await parts.storyIds()).map((storyId) => ({ type: 'story', id: storyId }) as const),
        ...(await sharesOf(sight, 'dashboard', id)),
      ];
    }
    case 'report':
    case 'story':
      return [...recorded, ...(await sharesOf(sight, type, id))];
    default:
      return recorded;
  }
}

async function sharesOf({ parts }: Sight, type: LineageType, id: string): Promise<LineageRef[]> {
  const shares = (await parts.shares()).filter(
    ({ contentType, contentId }) => contentType === type && contentId === id,
  );
  return shares.map((share) => ({ type: 'share', id: share.id }));
}

async function recordedReferrers({ table, reader }: Sight, { type, id }: LineageRef): Promise<LineageRef[]> {
  const used = (Object.keys(TYPE_OF_USE) as UsedKind[]).find((kind) => TYPE_OF_USE[kind] === type);
  const references = used ? referencesTo(table, used) : type === 'source' ? sourceReferences(table) : undefined;
  const found = (await references?.read(reader.workspaceId, id)) ?? [];
  return found.flatMap((each) => (isLineageType(each.type) ? { type: each.type, id: each.id } : []));
}

const isLineageType = (type: ReferrerType): type is ReferrerType & LineageType =>
  (LINEAGE_TYPES as readonly string[]).includes(type);

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

const which = <T>(type: LineageType, all: ReadonlyMap<string, T>, isOne: (each: T) => boolean): LineageRef[] =>
  [...all].flatMap(([id, each]) => (isOne(each) ? { type, id } : []));
