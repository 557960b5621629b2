import { auditedRecords } from '../../../platform/audit/records.ts';
import type { Role } from '../../../platform/auth/permissions.ts';
import { type Collection, collection } from '../../../platform/storage/collection.ts';
import type { Table } from '../../../platform/storage/table.ts';
import type { Attributes } from './attributes.ts';

/**
 * A member of a workspace that is no person: it cannot sign in, and no person's leaving ends its keys. Requests with a
 * key read it by its key in the table (see `authenticate.ts`).
 */
export interface ServiceAccount {
  id: string;
  workspaceId: string;
  companyId: string;
  name: string;
  description: string;
  role: Role;
  attributes: Attributes;
  createdBy: string;
  createdAt: string;
  updatedAt: string;
  revision: number;
}

export type ServiceAccountRepository = Collection<ServiceAccount>;

export function serviceAccountRepository(table: Table): ServiceAccountRepository {
  return collection<ServiceAccount>(table, {
    entity: 'service-account',
    versioned: true,
    unique: { of: ({ name }) => name, taken: 'SERVICE_ACCOUNT_NAME_TAKEN' },
    logs: auditedRecords<ServiceAccount>(table, {
      subject: 'service_account',
      name: ({ name }) => name,
      members: { name: 'shown', description: 'shown', role: 'shown', attributes: 'shown' },
    }),
  });
}
