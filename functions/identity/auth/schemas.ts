import type { Static } from 'typebox';
import * as Type from 'typebox';
import { SignedIn, User } from '../../../shared/domains/identity/sessions/index.ts';
import { Attributes } from '../../../shared/domains/tenancy/workspaces/index.ts';
import { ROLES } from '../../../shared/platform/auth/permissions.ts';
import { FormerMember, FormerName } from '../../../shared/platform/http/former-names.ts';
import { Id, Name, NewPassword, Nullable, StringEnum, Timestamp } from '../../../shared/platform/http/schemas.ts';

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
      Type.String({ format: 'uuid', description: 'The workspace to switch to; omit it to stay in the current one.' }),
    ),
  },
  { $id: 'Refresh', description: 'The refresh token of a sign-in.' },
);

export const Jwks = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        kty: Type.Literal('OKP'),
        crv: Type.Literal('Ed25519'),
        x: Type.String({ description: 'The public key, in base64url.' }),
        kid: Type.String({ description: 'The id of the key, which tokens carry in their header.' }),
        alg: Type.Literal('EdDSA'),
        use: Type.Literal('sig'),
      }),
    ),
  },
  { $id: 'Jwks', description: 'The public keys that verify access tokens.' },
);

export const MfaRequired = Type.Object(
  {
    mfaRequired: Type.Literal(true),
    mfaToken: Type.String({ description: 'Send it with a code to `POST /api/auth/mfa/verify`.' }),
    expiresInSeconds: Type.Integer({ description: 'How long the token is valid.' }),
  },
  { $id: 'MfaRequired', description: 'The password is right; the account has a second factor.' },
);
export type MfaRequired = Static<typeof MfaRequired>;

export const SignedInOrMfaRequired = Type.Union([SignedIn, MfaRequired], {
  $id: 'LoginReply',
  description: 'The tokens of the sign-in, or a token for its second half.',
});

const Code = Type.String({
  minLength: 6,
  maxLength: 40,
  description: 'Six digits of the authenticator app, or a recovery code. Each works once.',
});

export const VerifyMfa = Type.Object(
  { mfaToken: Type.String({ minLength: 1, maxLength: 2000 }), code: Code },
  { $id: 'VerifyMfa', description: 'The token of the first half of a sign-in, and a code.' },
);

export const EnrolMfa = Type.Object(
  { password: Type.String({ minLength: 1, maxLength: 1024 }) },
  { $id: 'EnrolMfa', description: 'The password of the caller.' },
);

export const MfaEnrolment = Type.Object(
  {
    secret: Type.String({ description: 'The secret in Base32, for typing it into an app.' }),
    otpauthUrl: Type.String({ description: 'The secret as a URL, for a QR code.' }),
  },
  { $id: 'MfaEnrolment', description: 'The secret for an authenticator app.' },
);

export const ActivateMfa = Type.Object(
  { code: Type.String({ pattern: '^[0-9]{6}$', description: 'Six digits of the authenticator app.' }) },
  { $id: 'ActivateMfa', description: 'A code of the new app.' },
);

export const RecoveryCodes = Type.Object(
  {
    recoveryCodes: Type.Array(Type.String(), {
      description: 'Shown once. Each works once, in place of a code of the app.',
    }),
  },
  { $id: 'RecoveryCodes', description: 'Codes for when the app is lost.' },
);
export type RecoveryCodes = Static<typeof RecoveryCodes>;

export const MfaCode = Type.Object({ code: Code }, { $id: 'MfaCode', description: 'A code of the caller.' });

export const TurnOffMfa = Type.Object(
  { ...EnrolMfa.properties, code: Code },
  { $id: 'TurnOffMfa', description: 'The password and a code of the caller.' },
);

const zone = Nullable(Type.String({ description: 'The time zone of the user (IANA); null until chosen.' }));

export const Me = Type.Object(
  {
    user: User,
    language: Nullable(Type.String({ description: 'The language of the user (BCP 47); null until chosen.' })),
    timezone: zone,
    timeZone: FormerMember('timezone', zone),
    emailConfirmed: Type.Boolean({
      description: 'False from when others change the address of the account until its user confirms the new one.',
    }),
    mfa: Type.Object(
      { enabled: Type.Boolean(), recoveryCodesLeft: Type.Integer({ minimum: 0 }) },
      { description: 'Whether sign-ins of the user need a second factor.' },
    ),
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

const chosenZone = Nullable(
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'A time zone (IANA), such as `Europe/Zurich`; null clears it.',
  }),
);

export const ChangeProfile = Type.Object(
  {
    name: Type.Optional(Name),
    language: Type.Optional(
      Nullable(
        Type.String({
          minLength: 2,
          maxLength: 35,
          description: 'A language tag (BCP 47), such as `en` or `de-CH`; null clears it.',
        }),
      ),
    ),
    timezone: Type.Optional(chosenZone),
    timeZone: FormerName('timezone', chosenZone),
  },
  { $id: 'ChangeProfile', description: 'The members of the profile to change.' },
);
export type ChangeProfile = Static<typeof ChangeProfile>;

export const ChangePassword = Type.Object(
  {
    currentPassword: Type.String({ minLength: 1, maxLength: 1024 }),
    newPassword: NewPassword,
  },
  { $id: 'ChangePassword', description: 'The current password, and the new one.' },
);

export const ForgotPassword = Type.Object(
  { email: Login.properties.email },
  { $id: 'ForgotPassword', description: 'The email of the account.' },
);

export const ResetRequested = Type.Object(
  { expiresInSeconds: Type.Integer({ description: 'How long the link in the email works, if one is sent.' }) },
  { $id: 'ResetRequested', description: 'An email is sent if an account has the address.' },
);

const MailToken = Type.String({ minLength: 1, maxLength: 200, description: 'The token from the email.' });

export const ResetPassword = Type.Object(
  { token: MailToken, newPassword: NewPassword },
  { $id: 'ResetPassword', description: 'The token from the email, and the new password.' },
);

export const ConfirmEmail = Type.Object(
  {
    email: Type.String({
      minLength: 1,
      maxLength: 254,
      description: 'The current address of the account, as `GET /api/auth/me` shows it.',
    }),
  },
  { $id: 'ConfirmEmail', description: 'The address to confirm.' },
);

export const ConfirmEmailByMail = Type.Object(
  { token: MailToken },
  { $id: 'ConfirmEmailByMail', description: 'The token from the email.' },
);

export const AcceptInvitation = Type.Object(
  {
    token: MailToken,
    name: Type.Optional(Name),
    password: Type.Optional(
      Type.String({
        ...NewPassword,
        description:
          'At least 12 characters. Required for a person without an account, and for one whose password others could have set: it replaces that password.',
      }),
    ),
  },
  { $id: 'AcceptInvitation', description: 'The token from the email, and the account to create.' },
);

export const AcceptedInvitation = Type.Object(
  { workspaceId: Id, workspaceName: Name, email: Type.String({ description: 'The email to sign in with.' }) },
  { $id: 'AcceptedInvitation', description: 'The workspace that the person has joined.' },
);
export type AcceptedInvitation = Static<typeof AcceptedInvitation>;

export const SignInSession = Type.Object(
  {
    id: Id,
    workspaceId: Id,
    createdAt: Timestamp,
    lastUsedAt: Nullable(
      Type.String({
        format: 'date-time',
        description: 'When its tokens were last issued; null if that was not recorded.',
      }),
    ),
    expiresAt: Type.String({ format: 'date-time', description: 'When it ends if it is not used before.' }),
    sourceIp: Nullable(Type.String({ description: 'The address from which the user signed in.' })),
    userAgent: Nullable(Type.String({ description: 'The `User-Agent` header of the client at the sign-in.' })),
    isCurrent: Type.Boolean({ description: 'Whether this request belongs to it.' }),
  },
  { $id: 'Session', description: 'A sign-in that has not ended.' },
);
export type SignInSession = Static<typeof SignInSession>;

export const SessionList = Type.Object(
  {
    items: Type.Array(SignInSession, { description: 'The newest 200 sign-ins, newest first.' }),
    total: Type.Integer({ minimum: 0, description: 'The number of all sign-ins that have not ended.' }),
  },
  { $id: 'SessionList', description: 'The sign-ins of a user.' },
);
export type SessionList = Static<typeof SessionList>;

export const SessionParams = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The id of the sign-in.' }),
});
