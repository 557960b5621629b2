import { memberSubject } from '../../tenancy/grants/index.ts';
import { termRepository } from './repository.ts';

export const TERM_SUBJECT = memberSubject({
  type: 'term',
  read: { permission: 'catalog:read' },
  write: 'catalog:write',
  key: (table, workspaceId, id) => termRepository(table).key(workspaceId, id),
  async get(table, workspaceId, id) {
    const term = await termRepository(table).get(workspaceId, id);
    return term && { id, name: term.name, ownerId: term.ownerIds[0] ?? term.createdBy };
  },
});
