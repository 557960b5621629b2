import * as Type from 'typebox';
import { ModelFile, modelProperties } from '../../../../shared/domains/semantics/models/index.ts';
import { loadYaml } from '../../../../shared/platform/validation/load-yaml.ts';
import { YAML } from '../../../../shared/platform/validation/yaml-file.ts';
import type { DefinitionKind, Members } from './kind.ts';

const { version, policies: _policies, name: _name, description, ...parts } = ModelFile.properties;

const path = (id: unknown) => `/api/models/${id}/file` as const;

/** A list that a file leaves out is empty; what else it leaves out is absent. */
const emptyByDefault = <S extends object>(schema: S): S =>
  'type' in schema && schema.type === 'array' ? { ...schema, default: [] } : schema;

/**
 * The file of a model, and where its tables are. Row-level security is in no such file: only admins see it, and a file
 * says the same to everyone.
 */
export const model: DefinitionKind = {
  kind: 'model',
  members: Type.Object({
    name: modelProperties.name,
    description: { ...description, default: '' },
    sourceId: { ...modelProperties.sourceId, format: 'uuid', default: 'datasets' },
    version: { ...version, default: 1 },
    ...Object.fromEntries(Object.entries(parts).map(([name, schema]) => [name, emptyByDefault(schema)])),
  }),
  references: { sourceId: 'source' },
  fixed: ['sourceId'],
  content: {
    first: ['name', 'description', 'sourceId'],

    async read(operations, { id, sourceId }) {
      const reply = await operations.send({ group: 'models', method: 'GET', path: path(id), accept: YAML });
      const { readYaml } = await loadYaml();
      const { policies: _, ...file } = readYaml(reply.body).value as Members;
      return { members: { ...file, sourceId }, revision: Number(reply.headers.etag!.slice(1, -1)) };
    },

    async write(id, { sourceId: _, ...file }) {
      const { writeYaml } = await loadYaml();
      return { group: 'models', method: 'PUT', path: path(id), body: { yaml: writeYaml(file) } };
    },
  },
};
