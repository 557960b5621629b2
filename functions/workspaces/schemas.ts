import Type, { type Static } from 'typebox';
import { ROLES } from '../../shared/platform/auth/permissions.ts';
import { Id, Name, Page, Revision, StringEnum, Timestamp } from '../../shared/platform/http/schemas.ts';

export const Workspace = Type.Object(
  { id: Id, companyId: Id, name: Name, createdAt: Timestamp, updatedAt: Timestamp, revision: Revision },
  { $id: 'Workspace' },
);
export type Workspace = Static<typeof Workspace>;

export const NewWorkspace = Type.Object({ name: Name });

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
  { $id: 'Member' },
);
export type Member = Static<typeof Member>;

export const MemberPage = Page(Member);

/** Someone new to the company gets the given password; for someone who has an account it must be left out. */
export const NewMember = Type.Object({
  email: Type.String({ minLength: 3, maxLength: 254, format: 'email' }),
  name: Type.Optional(Name),
  role: StringEnum(ROLES),
  password: Type.Optional(Type.String({ minLength: 12, maxLength: 1024 })),
});

export const MemberChange = Type.Object({ role: StringEnum(ROLES) });

export const MemberParams = Type.Object({ userId: Id });
