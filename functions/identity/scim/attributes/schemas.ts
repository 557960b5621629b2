import type { Static } from 'typebox';
import * as Type from 'typebox';
import { AttributeName } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { Id, Nullable, Revision, Timestamp } from '../../../../shared/platform/http/schemas.ts';

const Mapping = Type.Object({
  path: Type.String({
    minLength: 1,
    maxLength: 300,
    description:
      'A path of SCIM, such as `title`, `name.familyName`, `addresses.country` or `urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department`.',
  }),
  attribute: AttributeName,
});

const mappings = Type.Array(Mapping, { maxItems: 50, description: 'Each attribute at most once.' });

export const ScimAttributes = Type.Object(
  { companyId: Id, mappings, updatedBy: Nullable(Id), updatedAt: Nullable(Timestamp), revision: Revision },
  { $id: 'ScimAttributes', description: 'Which attributes of people come from provisioning.' },
);
export type ScimAttributes = Static<typeof ScimAttributes>;

export const SetScimAttributes = Type.Object(
  { mappings },
  { $id: 'SetScimAttributes', description: 'All mappings of the company.' },
);
export type SetScimAttributes = Static<typeof SetScimAttributes>;
