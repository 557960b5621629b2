import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { ScimAttributes, SetScimAttributes } from './schemas.ts';

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
    'Replaces all mappings. Each mapping makes the value at its path an attribute of every person (`user.attr()`) in all workspaces. The attribute replaces what admins have set, and only provisioning can change it. A person without a value does not have the attribute. Takes effect with the next read.',
  permission: 'company:manage',
  body: SetScimAttributes,
  success: { status: 200, body: ScimAttributes, versioned: true },
  audit: 'scim_attributes.updated',
});
