import { grantOn } from '../../../../shared/domains/tenancy/grants/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { MAX_FILE_BYTES, YAML } from '../../../../shared/platform/validation/yaml-file.ts';
import { ModelIdParams } from '../schemas.ts';
import { ImportFileQuery, ModelFileBody, ModelFileReport, ModelValidation, ValidateModel } from './schemas.ts';

export const exportModelFile = defineRoute({
  operationId: 'exportModelFile',
  method: 'GET',
  path: '/api/models/{id}/file',
  summary: 'Export a model as a file',
  description:
    'The whole model as one YAML document in an order that depends on names alone, so that a team can keep it in Git. It names tables and fields where the API has ids, and has the row-level security policies only for admins. The `ETag` counts all changes of the model.',
  permission: 'models:read',
  params: ModelIdParams,
  success: { status: 200, contentTypes: [YAML] },
  errors: ['MODEL_NOT_FOUND', 'MODEL_TOO_LARGE'],
});

export const importModelFile = defineRoute({
  operationId: 'importModelFile',
  method: 'PUT',
  path: '/api/models/{id}/file',
  summary: 'Import a model from a file',
  description:
    'Makes the model that of the file, as a whole or not at all. Parts that keep their name keep their id, and parts that the file does not have are removed; without a list of policies, the policies stay. The same file again changes nothing. Rejected if that breaks metrics, cards, alerts or other objects, unless `force` is set; measures that metrics use and tables that blends join cannot be removed. Several documents are several files of one model, and one of them may extend another model. With `If-Match`, it fails if the model has changed since the file was exported. Only admins may import other row-level security policies.',
  permission: 'models:write',
  grant: grantOn('model', 'editor'),
  params: ModelIdParams,
  query: ImportFileQuery,
  body: ModelFileBody,
  fileBody: { contentType: YAML, member: 'yaml' },
  maxBodyBytes: MAX_FILE_BYTES,
  success: { status: 200, body: ModelFileReport, versioned: true },
  errors: ['MODEL_NOT_FOUND', 'MODEL_NAME_TAKEN', 'MODEL_TABLE_PROTECTED', 'REFERENCED', 'MODEL_TOO_LARGE'],
  audit: 'model.updated',
});

export const validateModel = defineRoute({
  operationId: 'validateModel',
  method: 'POST',
  path: '/api/models/{id}/validate',
  summary: 'Validate a model',
  description:
    'Reports what does not compile, between which tables questions are ambiguous, which data assertions fail, and what nothing uses: for the model as it is, or as a file would make it. Changes nothing. Replies with status 200 even if there are errors, so check `ok`.',
  permission: 'models:write',
  grant: grantOn('model', 'editor'),
  params: ModelIdParams,
  body: ValidateModel,
  optionalBody: true,
  fileBody: { contentType: YAML, member: 'yaml' },
  maxBodyBytes: MAX_FILE_BYTES,
  success: { status: 200, body: ModelValidation },
  errors: ['MODEL_NOT_FOUND'],
});
