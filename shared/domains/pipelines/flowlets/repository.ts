import { createHash } from 'node:crypto';
import { auditedRecords } from '../../../platform/audit/records.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { collection } from '../../../platform/storage/collection.ts';
import { later } from '../../../platform/storage/ids.ts';
import type { ListRequest } from '../../../platform/storage/list-request.ts';
import { onNewest } from '../../../platform/storage/on-newest.ts';
import type { PageOf } from '../../../platform/storage/page.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { Flowlet, FlowletContent } from './record.ts';

/** The versions of one name. Retiring them removes the series and frees the name. */
interface Series {
  id: string;
  workspaceId: string;
  name: string;
  latestId: string;
  version: number;
  createdAt: string;
  updatedAt: string;
}

interface StoredVersion extends Flowlet {
  workspaceId: string;
  /** A digest of the content: equal content is the same version. */
  digest: string;
  updatedAt: string;
}

type NewVersion = Omit<Flowlet, 'version' | 'seriesId'> & { workspaceId: string };

interface PageQuery {
  limit: number;
  offset: number;
}

export interface FlowletRepository {
  /**
   * Stores a new version of the name, or returns the newest one if its content is the same. Throws `FLOWLET_CHANGED`
   * when the newest version is not `expectedVersion`, which is 0 for a new name.
   */
  save(flowlet: NewVersion, expectedVersion?: number): Promise<Flowlet>;
  /** One version; undefined when it is retired. */
  get(workspaceId: string, id: string): Promise<Flowlet | undefined>;
  /** The newest version of each name. */
  listLatest(workspaceId: string, request: ListRequest): Promise<PageOf<Flowlet>>;
  /** All versions of the name of a version, the newest first. */
  listVersions(workspaceId: string, id: string, page: PageQuery): Promise<PageOf<Flowlet> | undefined>;
  /** Retires all versions of the name of a version; false when they are retired already. */
  retire(workspaceId: string, id: string): Promise<boolean>;
}

export function flowletRepository(table: Table): FlowletRepository {
  const names = collection<Series>(table, {
    entity: 'flowlet-name',
    unique: { of: ({ name }) => name, taken: 'FLOWLET_CHANGED' },
    logs: auditedRecords<Series>(table, {
      subject: 'flowlet',
      name: ({ name }) => name,
      members: { name: 'shown', version: 'shown' },
    }),
  });
  const versions = collection<StoredVersion>(table, { entity: 'flowlet', parent: ({ seriesId }) => seriesId });

  async function findActive(workspaceId: string, id: string) {
    const version = await versions.get(workspaceId, id);
    const series = version && (await names.get(workspaceId, version.seriesId));
    return series && version && { series, version };
  }

  return {
    save(flowlet, expectedVersion) {
      const saveNext = async () => {
        const digest = digestOf(flowlet);
        const series = await names.find(flowlet.workspaceId, flowlet.name);
        const latest = series && (await versions.get(flowlet.workspaceId, series.latestId));
        if (latest?.digest === digest) return toFlowlet(latest);
        const version = (series?.version ?? 0) + 1;
        if (expectedVersion !== undefined && expectedVersion + 1 !== version) throw new AppError('FLOWLET_CHANGED');
        const next: StoredVersion = {
          ...flowlet,
          version,
          seriesId: series?.id ?? flowlet.id,
          digest,
          updatedAt: flowlet.createdAt,
        };
        const items = versions.createItems([next]);
        const { workspaceId, name, createdAt } = flowlet;
        const head = { latestId: next.id, version };
        if (series) {
          const updatedAt = later(series.updatedAt, new Date(createdAt));
          await names.replace(series, { ...series, name, ...head, updatedAt }, 'FLOWLET_CHANGED', items);
        } else {
          await names.create({ id: flowlet.id, workspaceId, name, ...head, createdAt, updatedAt: createdAt }, items);
        }
        return toFlowlet(next);
      };
      return expectedVersion === undefined ? onNewest('FLOWLET_CHANGED', saveNext) : saveNext();
    },

    async get(workspaceId, id) {
      const found = await findActive(workspaceId, id);
      return found && toFlowlet(found.version);
    },

    async listLatest(workspaceId, request) {
      const { items, ...about } = await names.list(workspaceId, request as ListRequest<Series>);
      const latest = await versions.getMany(
        workspaceId,
        items.map(({ latestId }) => latestId),
      );
      const byId = new Map(latest.map((version) => [version.id, version]));
      return { ...about, items: items.flatMap(({ latestId }) => toFlowletIf(byId.get(latestId))) };
    },

    async listVersions(workspaceId, id, page) {
      const found = await findActive(workspaceId, id);
      if (!found) return undefined;
      const { items, ...about } = await versions.list(workspaceId, page, found.series.id);
      return { ...about, items: items.map(toFlowlet) };
    },

    retire: (workspaceId, id) =>
      onNewest('STALE_WRITE', async () => {
        const found = await findActive(workspaceId, id);
        if (found) await names.remove(found.series, 'STALE_WRITE');
        return found !== undefined;
      }),
  };
}

const toFlowletIf = (version: StoredVersion | undefined) => (version ? [toFlowlet(version)] : []);

function toFlowlet({ workspaceId, digest, updatedAt, ...flowlet }: StoredVersion): Flowlet {
  return flowlet;
}

function digestOf({ description, params, inputs, ops }: FlowletContent): string {
  return createHash('sha256')
    .update(JSON.stringify([description, params, inputs, ops]))
    .digest('hex');
}

/** Reads a flowlet. Throws `FLOWLET_NOT_FOUND`. */
export async function findFlowlet(
  flowlets: FlowletRepository,
  { workspaceId, id }: { workspaceId: string; id: string },
): Promise<Flowlet> {
  const flowlet = await flowlets.get(workspaceId, id);
  if (!flowlet) throw new AppError('FLOWLET_NOT_FOUND');
  return flowlet;
}
