import { defineRoute } from '../../../shared/platform/http/route.ts';
import { MAX_FILE_BYTES, YAML } from '../../../shared/platform/validation/yaml-file.ts';
import {
  Definition,
  DefinitionEntryPage,
  DefinitionFile,
  DefinitionKindList,
  DefinitionListQuery,
  DefinitionParams,
  DefinitionReport,
  DeleteQuery,
  DeployQuery,
  KindQuery,
} from './schemas.ts';

/** Every object is read and changed by the operations of its kind, which check the caller. */
const BY_OPERATIONS = { permission: 'definitions:use', reachesByOperations: true } as const;

export const listDefinitions = defineRoute({
  operationId: 'listDefinitions',
  method: 'GET',
  path: '/api/definitions',
  summary: 'List definitions',
  description:
    'The objects that can be files, by kind and key: those that the caller may list. An object whose `digest` is not that of `applied` has drifted: it has changed since its file was deployed.',
  ...BY_OPERATIONS,
  query: DefinitionListQuery,
  success: { status: 200, body: DefinitionEntryPage },
});

export const listDefinitionKinds = defineRoute({
  operationId: 'listDefinitionKinds',
  method: 'GET',
  path: '/api/definitions/kinds',
  summary: 'List kinds of definitions',
  description: 'The JSON Schema of each lets an editor complete and check files.',
  ...BY_OPERATIONS,
  query: KindQuery,
  success: { status: 200, body: DefinitionKindList },
});

export const getDefinition = defineRoute({
  operationId: 'getDefinition',
  method: 'GET',
  path: '/api/definitions/{kind}/{key}',
  summary: 'Get a definition',
  description:
    'The object as a file, with keys in place of the ids of other objects. It has neither secrets nor times and ids of its own. An object without a key of its own has one from its name.',
  ...BY_OPERATIONS,
  params: DefinitionParams,
  success: { status: 200, contentTypes: ['application/json', YAML], body: Definition },
  errors: ['DEFINITION_NOT_FOUND', 'FORBIDDEN'],
});

export const deployDefinition = defineRoute({
  operationId: 'deployDefinition',
  method: 'PUT',
  path: '/api/definitions/{kind}/{key}',
  summary: 'Apply a definition',
  description:
    'Creates the object, or replaces it as a whole, by the operation of its kind: with the rights and checks of the caller there. Members that the file omits get their defaults. Deploying the same file again changes nothing. An object that has changed since the last deployment is not overwritten without `overwrite`.',
  ...BY_OPERATIONS,
  params: DefinitionParams,
  query: DeployQuery,
  body: DefinitionFile,
  fileBody: { contentType: YAML, member: 'yaml' },
  maxBodyBytes: MAX_FILE_BYTES,
  success: { status: 200, body: DefinitionReport },
  errors: [
    'FORBIDDEN',
    'DEFINITION_REJECTED',
    'DEFINITION_DRIFTED',
    'DEFINITION_UNMANAGED',
    'DEFINITION_MANAGED_ELSEWHERE',
    'DEFINITION_GONE',
  ],
});

export const deleteDefinition = defineRoute({
  operationId: 'deleteDefinition',
  method: 'DELETE',
  path: '/api/definitions/{kind}/{key}',
  summary: 'Delete a definition',
  description: 'Deletes the object by the operation of its kind.',
  ...BY_OPERATIONS,
  params: DefinitionParams,
  query: DeleteQuery,
  success: { status: 204 },
  errors: ['DEFINITION_NOT_FOUND', 'DEFINITION_DRIFTED', 'FORBIDDEN', 'REFERENCED'],
});
