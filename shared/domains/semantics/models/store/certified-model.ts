import type { Table } from '../../../../platform/storage/table.ts';
import { type Certified, type CertifiedRef, unchangedItem } from '../../../tenancy/certifications/index.ts';
import type { ModelRecord } from '../definition/records.ts';
import { modelRepository } from './repository.ts';

/** The model, or a part of it, as something to certify. */
export function certifiedModel(
  table: Table,
  { workspaceId, id, name, revision, updatedAt }: ModelRecord,
  part?: CertifiedRef & { name: string; revision: number },
): Certified {
  return {
    ...(part ?? { type: 'model', id, name, revision }),
    place: { workspaceId, type: 'model', id },
    // Changed by every edit of a part.
    unchanged: unchangedItem(table, modelRepository(table).key(workspaceId, id), { updatedAt }),
  };
}
