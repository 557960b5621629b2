import { memberSubject } from '../../tenancy/grants/index.ts';
import { metricRepository } from './repository.ts';

export const METRIC_SUBJECT = memberSubject({
  type: 'metric',
  read: { permission: 'metrics:read' },
  write: 'metrics:write',
  source: (id) => ({ kind: 'metric', id }),
  key: (table, workspaceId, id) => metricRepository(table).key(workspaceId, id),
  async get(table, workspaceId, id) {
    const metric = await metricRepository(table).get(workspaceId, id);
    return metric && { id, name: metric.name, ownerId: metric.ownerId };
  },
});
