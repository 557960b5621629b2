import type { Static } from 'typebox';
import * as Type from 'typebox';
import { auditedRecords } from '../../../platform/audit/records.ts';
import { Id, Nullable, Revision, Timestamp } from '../../../platform/http/schemas.ts';
import { collection } from '../../../platform/storage/collection.ts';
import { later } from '../../../platform/storage/ids.ts';
import { onNewest } from '../../../platform/storage/on-newest.ts';
import type { StoredRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';

/** Unless a workspace says otherwise. A table with a failing critical test has at most 59. */
const DEFAULT_MIN_SCORE = 60;

export const PublishGate = Type.Object(
  {
    minScore: Type.Integer({
      minimum: 0,
      maximum: 100,
      description:
        'Models and dashboards that read a table with a lower score are not published; 0 turns the gate off.',
    }),
    updatedBy: Nullable(Id),
    updatedAt: Nullable(Timestamp),
    revision: Revision,
  },
  {
    $id: 'DataQualityPublishGate',
    description: 'The scores that tables of published models and dashboards must have.',
  },
);
export type PublishGate = Static<typeof PublishGate>;

/** A workspace has one, whose id is that of the workspace. */
interface StoredGate extends StoredRecord {
  minScore: number;
  updatedBy: string | null;
  revision: number;
}

const entity = { entity: 'quality-publish-gate', versioned: true } as const;
const gates = (table: Table) => collection<StoredGate>(table, entity);
const auditedGates = (table: Table) =>
  collection<StoredGate>(table, {
    ...entity,
    logs: auditedRecords<StoredGate>(table, {
      subject: 'quality_publish_gate',
      name: () => 'publish gate',
      members: { minScore: 'shown' },
    }),
  });

export async function readPublishGate(table: Table, workspaceId: string): Promise<PublishGate> {
  const found = await gates(table).get(workspaceId, workspaceId);
  return found ? showGate(found) : { minScore: DEFAULT_MIN_SCORE, updatedBy: null, updatedAt: null, revision: 1 };
}

export function updatePublishGate(
  { table, now }: { table: Table; now(): Date },
  { workspaceId, minScore, by }: { workspaceId: string; minScore: number; by: string },
): Promise<PublishGate> {
  return onNewest('STALE_WRITE', async () => {
    const before = (await gates(table).get(workspaceId, workspaceId)) ?? (await created(table, workspaceId, now()));
    const next = { ...before, minScore, updatedBy: by, updatedAt: later(before.updatedAt, now()) };
    return showGate(await auditedGates(table).replace(before, next, 'STALE_WRITE'));
  });
}

/** The gate as it is without a record, so that the first change is one like any other. */
function created(table: Table, workspaceId: string, at: Date): Promise<StoredGate> {
  const stamps = { createdAt: at.toISOString(), updatedAt: at.toISOString(), updatedBy: null, revision: 1 };
  return gates(table).create({ id: workspaceId, workspaceId, minScore: DEFAULT_MIN_SCORE, ...stamps });
}

const showGate = ({ minScore, updatedBy, updatedAt, revision }: StoredGate): PublishGate => ({
  minScore,
  updatedBy,
  updatedAt: updatedBy === null ? null : updatedAt,
  revision,
});
