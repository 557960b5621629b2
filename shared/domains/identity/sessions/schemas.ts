import type { Static } from 'typebox';
import * as Type from 'typebox';
import { COMPANY_ROLES } from '../../../platform/auth/permissions.ts';
import { Id, Name, StringEnum } from '../../../platform/http/schemas.ts';

export const User = Type.Object(
  { id: Id, email: Type.String(), name: Name, companyId: Id, companyRole: StringEnum(COMPANY_ROLES) },
  { $id: 'User', description: 'A person with an account of the company.' },
);
export type User = Static<typeof User>;

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
