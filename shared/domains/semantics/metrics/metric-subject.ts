import { memberSubject } from '../../tenancy/grants/index.ts';
import { metricRepository } from './repository.ts';

export const METRIC_SUBJECT = memberSubject({
  type: 'metric',
  write: 'metrics:write',
  async get(table, workspaceId, id) {
    const metric = await metricRepository(table).get(workspaceId, id);
    return metric && { id, name: metric.name, ownerId: metric.ownerId };
  },
});
