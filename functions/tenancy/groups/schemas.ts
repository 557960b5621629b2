import type { Static } from 'typebox';
import * as Type from 'typebox';
import { ROLES } from '../../../shared/platform/auth/permissions.ts';
import { shownDefinition } from '../../../shared/platform/http/managed-by.ts';
import {
  CursorPage,
  Id,
  idParams,
  Name,
  Nullable,
  Page,
  Revision,
  StringEnum,
  Timestamp,
} from '../../../shared/platform/http/schemas.ts';

export const GroupParams = idParams('group');

export const GroupMemberParams = Type.Object({
  ...GroupParams.properties,
  userId: Type.String({ format: 'uuid', description: 'The user id of the member.' }),
});

const description = Type.String({ maxLength: 2000 });

const ExternalId = Nullable(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The id that an identity provider knows the group by, unique within the workspace.',
  }),
);

export const Group = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    name: Name,
    description,
    externalId: ExternalId,
    createdBy: Id,
    updatedBy: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    revision: Revision,
    ...shownDefinition,
  },
  { $id: 'Group', description: 'Members of the workspace under one name.' },
);
export type Group = Static<typeof Group>;

export const GroupPage = Page(Group);

export const CreateGroup = Type.Object(
  {
    name: Type.Unsafe<string>({ ...Name, description: 'Unique within the workspace; case does not matter.' }),
    description: Type.Unsafe<string>({ ...description, default: '' }),
    externalId: Type.Optional(ExternalId),
  },
  { $id: 'CreateGroup', description: 'A new group, without members.' },
);
export type CreateGroup = Static<typeof CreateGroup>;

export const UpdateGroup = Type.Object(
  {
    name: Type.Optional(Name),
    description: Type.Optional(description),
    externalId: Type.Optional(ExternalId),
  },
  { $id: 'UpdateGroup', description: 'Fields to change; omitted fields keep their values.' },
);
export type UpdateGroup = Static<typeof UpdateGroup>;

export const GroupMember = Type.Object(
  {
    groupId: Id,
    userId: Id,
    email: Type.String(),
    name: Name,
    role: StringEnum(ROLES),
    addedBy: Id,
    addedAt: Timestamp,
  },
  { $id: 'GroupMember', description: 'A member of the workspace in a group, with the role in the workspace.' },
);
export type GroupMember = Static<typeof GroupMember>;

export const GroupMemberPage = CursorPage(GroupMember, {
  $id: 'GroupMemberPage',
  description: 'A page of the members of a group, by user id; `total` counts all of them.',
});
