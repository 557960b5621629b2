import type { Static } from 'typebox';
import * as Type from 'typebox';
import { ROLES } from '../../../../shared/platform/auth/permissions.ts';
import {
  EmailFilter,
  Id,
  idParams,
  Nullable,
  Page,
  Revision,
  SortedListQuery,
  StringEnum,
  Timestamp,
} from '../../../../shared/platform/http/schemas.ts';

export const InvitationParams = idParams('invitation');

export const Invitation = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    email: Type.String(),
    role: StringEnum(ROLES),
    groupIds: Type.Array(Id),
    invitedBy: Id,
    expiresAt: Type.String({
      format: 'date-time',
      description: 'Until when the invitation can be accepted. It can be sent again later.',
    }),
    sentAt: Nullable(Type.String({ format: 'date-time', description: 'When the email was sent; null until then.' })),
    token: Nullable(
      Type.String({
        description:
          'Only in a deployment that sends no email, and only in the reply to creating it or sending it again: pass it on to the person.',
      }),
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    revision: Revision,
  },
  { $id: 'Invitation', description: 'A person who may join the workspace.' },
);
export type Invitation = Static<typeof Invitation>;

export const InvitationsQuery = Type.Object({
  ...SortedListQuery.properties,
  email: EmailFilter,
  role: Type.Optional(StringEnum(ROLES, { description: 'Only invitations with this role.' })),
});
export type InvitationsQuery = Static<typeof InvitationsQuery>;
export const InvitationPage = Page(Invitation);

export const CreateInvitation = Type.Object(
  {
    email: Type.String({ minLength: 3, maxLength: 254, format: 'email' }),
    role: StringEnum(ROLES),
    groupIds: Type.Optional(
      Type.Array(Type.String({ format: 'uuid' }), {
        maxItems: 10,
        uniqueItems: true,
        description: 'Groups that the person joins with the workspace.',
      }),
    ),
  },
  { $id: 'CreateInvitation', description: 'The person to invite, and the role to give.' },
);
export type CreateInvitation = Static<typeof CreateInvitation>;
