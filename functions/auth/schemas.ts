import Type, { type Static } from 'typebox';
import { Attributes } from '../../shared/domains/workspaces/index.ts';
import { COMPANY_ROLES, ROLES } from '../../shared/platform/auth/permissions.ts';
import { Id, Name, StringEnum } from '../../shared/platform/http/schemas.ts';
export const User = Type.Object(
  { id: Id, email: Type.String(), name: Name, companyId: Id, companyRole: StringEnum(COMPANY_ROLES) },
  { $id: 'User', description: 'A person with an account of the company.' },
);
export type User = Static<typeof User>;

export const Login = Type.Object(
  {
    email: Type.String({ minLength: 3, maxLength: 254, format: 'email' }),
    password: Type.String({ minLength: 1, maxLength: 1024 }),
    workspaceId: Type.Optional(
      Type.String({ format: 'uuid', description: 'The workspace to work in; omit it for the one joined first.' }),
    ),
  },
  { $id: 'Login', description: 'Email and password of a user.' },
);

export const Refresh = Type.Object(
  {
    refreshToken: Type.String({ minLength: 1, maxLength: 200 }),
    workspaceId: Type.Optional(
      Type.String({ format: 'uuid', description: 'The workspace to change to; omit it to stay in the same one.' }),
    ),
  },
  { $id: 'Refresh', description: 'The refresh token of a sign-in.' },
);

export const SignedIn = Type.Object(
  {
    accessToken: Type.String({ description: 'Send it as `Authorization: Bearer <token>`.' }),
    refreshToken: Type.String({ description: 'Works once; the refresh replies with the next one.' }),
    tokenType: Type.Literal('Bearer'),
    expiresInSeconds: Type.Integer({ description: 'How long the access token is valid.' }),
    workspaceId: Id,
    user: User,
  },
  { $id: 'SignedIn', description: 'The tokens of a sign-in to one workspace.' },
);
export type SignedIn = Static<typeof SignedIn>;

export const Me = Type.Object(
  {
    user: User,
    workspaceId: Id,
    role: StringEnum(ROLES),
    workspaces: Type.Array(Type.Object({ id: Id, name: Name, role: StringEnum(ROLES) }), {
      description: 'Every workspace that the user is a member of.',
    }),
    attributes: Attributes,
    groups: Type.Array(Type.Object({ id: Id, name: Name }), {
      description: 'The groups of the user in this workspace.',
    }),
  },
  { $id: 'Me', description: 'The caller: the user, the workspace and the role there.' },
);
export type Me = Static<typeof Me>;
