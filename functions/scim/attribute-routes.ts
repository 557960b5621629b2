import { defineRoute } from '../../shared/platform/http/route.ts';
import { ScimAttributes, SetScimAttributes } from './attribute-schemas.ts';

export const getScimAttributes = defineRoute({
  operationId: 'getScimAttributes',
  method: 'GET',
  path: '/api/scim/attributes',
  summary: 'Get the mapping of SCIM attributes',
  permission: 'company:manage',
  success: { status: 200, body: ScimAttributes, versioned: true },
});

export const setScimAttributes = defineRoute({
  operationId: 'setScimAttributes',
  method: 'PUT',
  path: '/api/scim/attributes',
  summary: 'Set the mapping of SCIM attributes',
  description:
    'Replaces all mappings. What a mapping names becomes the attribute of each person (`user.attr()`), in all workspaces, in place of what admins have set, and only provisioning changes it. A person without a value has no such attribute. Takes effect with the next read.',
  permission: 'company:manage',
  body: SetScimAttributes,
  success: { status: 200, body: ScimAttributes, versioned: true },
  audit: 'scim_attributes.updated',
});
