import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { ModelParams } from '../schemas.ts';
import { AccessPreview, PreviewAccess } from './schemas.ts';

export const previewAccess = defineRoute({
  operationId: 'previewAccess',
  method: 'POST',
  path: '/api/models/{modelId}/access-preview',
  summary: "Preview a member's access",
  description:
    'Shows which policies apply to a member, the condition for the rows that they see, their number, and the columns and fields that are hidden from them.',
  permission: 'model-policies:manage',
  params: ModelParams,
  body: PreviewAccess,
  success: { status: 200, body: AccessPreview },
  errors: ['MODEL_NOT_FOUND', 'MEMBER_NOT_FOUND', 'RLS_ERROR', 'SERVICE_BUSY'],
});
