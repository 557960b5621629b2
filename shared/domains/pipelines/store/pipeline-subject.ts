import { memberSubject } from '../../tenancy/grants/index.ts';
import { pipelineRepository } from './pipeline-store.ts';

export const PIPELINE_SUBJECT = memberSubject({
  type: 'pipeline',
  read: { permission: 'pipelines:read', product: 'pipelines' },
  write: 'pipelines:write',
  key: (table, workspaceId, id) => pipelineRepository(table).key(workspaceId, id),
  async get(table, workspaceId, id) {
    const pipeline = await pipelineRepository(table).get(workspaceId, id);
    return pipeline && { id, name: pipeline.name, ownerId: pipeline.createdBy };
  },
});
