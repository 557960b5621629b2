import { memberSubject } from '../../tenancy/grants/index.ts';
import { savedQueryRepository } from './repository.ts';

export const SAVED_QUERY_SUBJECT = memberSubject({
  type: 'saved-query',
  read: { permission: 'saved-queries:read', product: 'warehouse' },
  write: 'saved-queries:write',
  source: (id) => ({ kind: 'savedQuery', id }),
  key: (table, workspaceId, id) => savedQueryRepository(table).queries.key(workspaceId, id),
  async get(table, workspaceId, id) {
    const query = await savedQueryRepository(table).queries.get(workspaceId, id);
    return query && { id, name: query.name, ownerId: query.createdBy };
  },
});
