import { defineRoute } from '../../../shared/platform/http/route.ts';
import { MAX_FILE_BYTES, YAML } from '../../../shared/platform/validation/yaml-file.ts';
import {
  ComparedSecrets,
  Definition,
  DefinitionEntryPage,
  DefinitionFile,
  DefinitionKindList,
  DefinitionListQuery,
  DefinitionMove,
  DefinitionParams,
  DefinitionReport,
  DeleteQuery,
  DeploymentLeaseReply,
  DeployQuery,
  KindQuery,
  LeaseBody,
  LeaseParams,
  MoveBody,
  ProjectParams,
  SecretsToCompare,
} from './schemas.ts';

/** Every object is read and changed by the operations of its kind, which check the caller. */
const BY_OPERATIONS = { permission: 'definitions:use', reachesByOperations: true } as const;

export const listDefinitions = defineRoute({
  operationId: 'listDefinitions',
  method: 'GET',
  path: '/api/definitions',
  summary: 'List definitions',
  description:
    'Returns the objects that can be files and that the caller may list, by kind and key. An object whose `digest` is not that of `applied` has drifted: it has changed since its file was deployed.',
  ...BY_OPERATIONS,
  query: DefinitionListQuery,
  success: { status: 200, body: DefinitionEntryPage },
});

export const listDefinitionKinds = defineRoute({
  operationId: 'listDefinitionKinds',
  method: 'GET',
  path: '/api/definitions/kinds',
  summary: 'List kinds of definitions',
  description: 'Returns the JSON Schema of each kind, with which an editor completes and checks files.',
  ...BY_OPERATIONS,
  query: KindQuery,
  success: { status: 200, body: DefinitionKindList },
});

export const compareDefinitionSecrets = defineRoute({
  operationId: 'compareDefinitionSecrets',
  method: 'POST',
  path: '/api/definitions/secrets/compare',
  summary: 'Compare secrets with those deployed',
  description:
    'Returns the variables whose values differ from those that were last deployed, so that a secret which was rotated is deployed with an unchanged file. Only for objects that the caller may change; others are omitted. Nothing is stored.',
  ...BY_OPERATIONS,
  body: SecretsToCompare,
  success: { status: 200, body: ComparedSecrets },
});

export const getDefinition = defineRoute({
  operationId: 'getDefinition',
  method: 'GET',
  path: '/api/definitions/{kind}/{key}',
  summary: 'Get a definition',
  description:
    'Returns the object as a file, with keys in place of the ids of other objects, and without secrets, times and ids of its own. The key of an object that no file was deployed to follows from its name.',
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
    'Creates the object, or replaces it as a whole, through the operation of its kind: with the rights of the caller, and all checks, of that operation. Members that the file omits get their defaults. Deploying the same file again changes nothing. An object that has changed since the last deployment is not overwritten without `overwrite`.',
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
    'DEFINITION_PROPOSED',
  ],
});

export const deleteDefinition = defineRoute({
  operationId: 'deleteDefinition',
  method: 'DELETE',
  path: '/api/definitions/{kind}/{key}',
  summary: 'Delete a definition',
  description:
    'Deletes the object through the operation of its kind. A dataset with rows, or a data source with uploaded files, is deleted only with `withData`.',
  ...BY_OPERATIONS,
  params: DefinitionParams,
  query: DeleteQuery,
  success: { status: 204 },
  errors: ['DEFINITION_NOT_FOUND', 'DEFINITION_DRIFTED', 'DEFINITION_HAS_DATA', 'FORBIDDEN', 'REFERENCED'],
});

export const moveDefinition = defineRoute({
  operationId: 'moveDefinition',
  method: 'POST',
  path: '/api/definitions/{kind}/{key}/move',
  summary: 'Change the key of a definition',
  description:
    'Changes the key of an object that a file was deployed to. The caller needs the right to change the object. The object itself stays as it is, and so does everything that refers to it. Files that name the old key have to name the new one. Repeating the request changes nothing.',
  ...BY_OPERATIONS,
  params: DefinitionParams,
  body: MoveBody,
  success: { status: 200, body: DefinitionMove },
  errors: [
    'FORBIDDEN',
    'DEFINITION_NOT_FOUND',
    'DEFINITION_REJECTED',
    'DEFINITION_UNMANAGED',
    'DEFINITION_MANAGED_ELSEWHERE',
    'DEFINITION_KEY_TAKEN',
  ],
});

export const holdDeploymentLease = defineRoute({
  operationId: 'holdDeploymentLease',
  method: 'PUT',
  path: '/api/definitions/projects/{project}/lease',
  summary: 'Start or extend a deployment lease',
  description:
    'A program that deploys several files of a project takes the lease of the project first, so that no other deployment of it runs at the same time. The lease ends when it is given back, or when it has not been extended in time. Operations on single files do not need it.',
  permission: 'definitions:deploy',
  params: ProjectParams,
  body: LeaseBody,
  success: { status: 200, body: DeploymentLeaseReply },
  errors: ['DEPLOYMENT_LEASED'],
});

export const releaseDeploymentLease = defineRoute({
  operationId: 'releaseDeploymentLease',
  method: 'DELETE',
  path: '/api/definitions/projects/{project}/lease/{leaseId}',
  summary: 'End a deployment lease',
  description: 'Ends the lease, so that the next deployment need not wait until it expires.',
  permission: 'definitions:deploy',
  params: LeaseParams,
  success: { status: 204 },
  errors: ['DEPLOYMENT_LEASE_NOT_FOUND'],
});
