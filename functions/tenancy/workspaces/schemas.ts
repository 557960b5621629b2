import type { Static } from 'typebox';
import * as Type from 'typebox';
import {
  Attributes,
  CertifierGroup,
  Comments,
  DeliveryDomains,
  EditorsMayUpload,
  SearchByMeaning,
  StoryReview,
  ViewersMayExport,
  ViewersMayQuery,
  WorkspaceFailureRecipients,
  WorkspaceTimezone,
} from '../../../shared/domains/tenancy/workspaces/index.ts';
import { ROLES } from '../../../shared/platform/auth/permissions.ts';
import {
  EmailFilter,
  Id,
  idParams,
  ListQuery,
  Name,
  NewPassword,
  Nullable,
  Page,
  Revision,
  StringEnum,
  searchFilter,
  sortedBy,
  Timestamp,
} from '../../../shared/platform/http/schemas.ts';

export const CreateWorkspace = Type.Object({ name: Name }, { $id: 'CreateWorkspace', description: 'A new workspace.' });

export const UpdateWorkspace = Type.Object(
  {
    name: Type.Optional(Name),
    deliveryDomains: Type.Optional(DeliveryDomains),
    timezone: Type.Optional(WorkspaceTimezone),
    viewersMayExport: Type.Optional(ViewersMayExport),
    viewersMayQuery: Type.Optional(ViewersMayQuery),
    editorsMayUpload: Type.Optional(EditorsMayUpload),
    comments: Type.Optional(Comments),
    storyReview: Type.Optional(StoryReview),
    certifierGroupId: Type.Optional(CertifierGroup),
    searchByMeaning: Type.Optional(SearchByMeaning),
    failureRecipients: Type.Optional(WorkspaceFailureRecipients),
  },
  { $id: 'UpdateWorkspace', description: 'The members to change. Omitted members keep their values.' },
);

export const WorkspaceParams = idParams('workspace');

export const ConfirmQuery = Type.Object({
  confirm: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The current name of the workspace, to confirm the deletion.',
  }),
});

export const MembersQuery = Type.Object({
  ...ListQuery.properties,
  email: EmailFilter,
  search: searchFilter('members', { texts: 'name or email' }),
  role: Type.Optional(StringEnum(ROLES, { description: 'Only members with this role.' })),
  sort: sortedBy(['name', 'email', 'joinedAt'], 'the user id'),
});
export type MembersQuery = Static<typeof MembersQuery>;

export const Member = Type.Object(
  {
    workspaceId: Id,
    userId: Id,
    email: Type.String(),
    name: Name,
    role: StringEnum(ROLES),
    joinedAt: Timestamp,
    revision: Revision,
  },
  { $id: 'Member', description: 'A user in a workspace, with a role there.' },
);
export type Member = Static<typeof Member>;

export const MemberPage = Page(Member);

export const AddMember = Type.Object(
  {
    email: Type.String({ minLength: 3, maxLength: 254, format: 'email' }),
    name: Type.Optional(Name),
    role: StringEnum(ROLES),
    password: Type.Optional(
      Type.String({
        ...NewPassword,
        description:
          'At least 12 characters. Required for a person who is new to the company; omit it for one who has an account.',
      }),
    ),
  },
  { $id: 'AddMember', description: 'The person to add, and the role to give.' },
);

export const UpdateMember = Type.Object(
  { role: StringEnum(ROLES) },
  { $id: 'UpdateMember', description: 'The new role of the member.' },
);

export const MemberAttributes = Type.Object(
  {
    workspaceId: Id,
    userId: Id,
    attributes: Attributes,
    mapped: Type.Array(Type.String(), {
      description:
        'The names of the attributes that only identity providers of the company set. A person without a value does not have the attribute.',
    }),
    updatedBy: Nullable(Id),
    updatedAt: Nullable(Timestamp),
    revision: Revision,
  },
  { $id: 'MemberAttributes', description: 'What is known about a member, for rules about rows.' },
);

export type MemberAttributes = Static<typeof MemberAttributes>;

export const SetMemberAttributes = Type.Object(
  { attributes: Attributes },
  {
    $id: 'SetMemberAttributes',
    description: 'All attributes of the member, except those that identity providers set.',
  },
);

export const MemberParams = Type.Object({
  userId: Type.String({ format: 'uuid', description: 'The user id of the member.' }),
});
