import { memberSubject } from '../../../tenancy/grants/index.ts';
import type { SubjectKind } from '../../../tenancy/subjects/index.ts';
import { definitionReader, modelOrNone } from './definitions.ts';
import { modelRepository } from './repository.ts';

/** Models, whose parts are their fields. */
export const MODEL_SUBJECT: SubjectKind = {
  ...memberSubject({
    type: 'model',
    read: { permission: 'models:read' },
    write: 'models:write',
    key: (table, workspaceId, id) => modelRepository(table).key(workspaceId, id),
    async get(table, workspaceId, id) {
      const model = await modelRepository(table).get(workspaceId, id);
      return model && { id, name: model.name, ownerId: model.createdBy };
    },
  }),
  partTypes: ['field'],
  source: (id) => ({ kind: 'model', id }),

  async parts(table, { workspaceId }, modelId) {
    const definition = await modelOrNone(definitionReader(table), { workspaceId, modelId });
    const source = { kind: 'model', id: modelId } as const;
    const fields = [...(definition?.fields.values() ?? [])];
    return fields.map(({ id, name }) => ({ type: 'field', id, name, source }));
  },
};
