import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Id, Name, Nullable, Timestamp } from '../../../../shared/platform/http/schemas.ts';

export const PasskeyParams = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The id of the passkey.' }),
});

export const Passkey = Type.Object(
  {
    id: Id,
    name: Name,
    isSynced: Type.Boolean({ description: 'Whether it is copied between devices of the user.' }),
    createdAt: Timestamp,
    lastUsedAt: Nullable(Timestamp),
  },
  { $id: 'Passkey', description: 'A passkey (WebAuthn) of the user.' },
);
export type Passkey = Static<typeof Passkey>;

export const PasskeyList = Type.Object(
  { items: Type.Array(Passkey), total: Type.Integer() },
  { $id: 'PasskeyList', description: 'All passkeys of the caller; at most 10.' },
);

export const PasskeyProof = Type.Object(
  {
    password: Type.String({ minLength: 1, maxLength: 1024 }),
    code: Type.Optional(
      Type.String({ minLength: 6, maxLength: 40, description: 'A code, if the second factor is on.' }),
    ),
  },
  { $id: 'PasskeyProof', description: 'The password of the caller, and a code of the second factor.' },
);

export const WebAuthnOptions = Type.Object(
  { challenge: Type.String({ description: 'Valid for 5 minutes, and once.' }) },
  {
    $id: 'WebAuthnOptions',
    additionalProperties: true,
    description:
      'Options in JSON for `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON` of the browser.',
  },
);

const base64url = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+={0,2}$' });

const credential = {
  id: base64url(1400),
  rawId: base64url(1400),
  type: Type.Literal('public-key'),
  authenticatorAttachment: Type.Optional(Nullable(Type.String({ maxLength: 50 }))),
  clientExtensionResults: Type.Record(Type.String(), Type.Unknown(), { maxProperties: 20 }),
};

const AttestationJson = Type.Object(
  {
    ...credential,
    response: Type.Object({
      clientDataJSON: base64url(8192),
      attestationObject: base64url(65536),
      authenticatorData: Type.Optional(base64url(16384)),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 10 })),
      publicKeyAlgorithm: Type.Optional(Type.Integer()),
      publicKey: Type.Optional(base64url(8192)),
    }),
  },
  { $id: 'PasskeyRegistration', description: 'What `credential.toJSON()` of the browser returns after `create`.' },
);

const AssertionJson = Type.Object(
  {
    ...credential,
    response: Type.Object({
      clientDataJSON: base64url(8192),
      authenticatorData: base64url(16384),
      signature: base64url(4096),
      userHandle: Type.Optional(Nullable(base64url(200))),
    }),
  },
  { $id: 'PasskeyAssertion', description: 'What `credential.toJSON()` of the browser returns after `get`.' },
);

export const AddPasskey = Type.Object(
  { name: Name, response: AttestationJson },
  { $id: 'AddPasskey', description: 'A new passkey, and a name for it.' },
);

export const RenamePasskey = Type.Object({ name: Name }, { $id: 'RenamePasskey', description: 'The new name.' });

export const SignInWithPasskey = Type.Object(
  {
    response: AssertionJson,
    workspaceId: Type.Optional(
      Type.String({ format: 'uuid', description: 'The workspace to work in; omit it for the one joined first.' }),
    ),
  },
  { $id: 'SignInWithPasskey', description: 'The challenge, signed by a passkey.' },
);

const mfaToken = Type.String({ minLength: 1, maxLength: 2000 });

export const PasskeyFactor = Type.Object(
  { mfaToken },
  { $id: 'PasskeyFactor', description: 'The token of the first half of a sign-in.' },
);

export const VerifyPasskeyFactor = Type.Object(
  { mfaToken, response: AssertionJson },
  { $id: 'VerifyPasskeyFactor', description: 'The token of the first half, and the challenge signed by a passkey.' },
);
