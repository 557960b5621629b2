import Type, { type Static } from 'typebox';
import { COMPANY_ROLES, ROLES } from '../../shared/platform/auth/permissions.ts';
import { Id, Name, StringEnum } from '../../shared/platform/http/schemas.ts';

export const User = Type.Object(
  { id: Id, email: Type.String(), name: Name, companyId: Id, companyRole: StringEnum(COMPANY_ROLES) },
  { $id: 'User' },
);
export type User = Static<typeof User>;

export const Login = Type.Object({
  email: Type.String({ minLength: 3, maxLength: 254, format: 'email' }),
  password: Type.String({ minLength: 1, maxLength: 1024 }),
  workspaceId: Type.Optional(Id),
});

export const Refresh = Type.Object({
  refreshToken: Type.String({ minLength: 1, maxLength: 200 }),
  workspaceId: Type.Optional(Id),
});

/** The access token is good for `expiresInSeconds`; the refresh token works once and is replaced each time. */
export const SignedIn = Type.Object(
  {
    accessToken: Type.String(),
    refreshToken: Type.String(),
    tokenType: Type.Literal('Bearer'),
    expiresInSeconds: Type.Integer(),
    workspaceId: Id,
    user: User,
  },
  { $id: 'SignedIn' },
);
export type SignedIn = Static<typeof SignedIn>;

export const Me = Type.Object(
  {
    user: User,
    workspaceId: Id,
    role: StringEnum(ROLES),
    workspaces: Type.Array(Type.Object({ id: Id, name: Name, role: StringEnum(ROLES) })),
    attributes: Type.Record(Type.String(), Type.Unknown()),
  },
  { $id: 'Me' },
);
export type Me = Static<typeof Me>;
