import type { Static } from 'typebox';
import * as Type from 'typebox';

export const Slug = Type.String({ minLength: 2, maxLength: 63, pattern: '^[a-z0-9-]+$' });

export const SlugParams = Type.Object({
  slug: Type.Unsafe<string>({ ...Slug, description: 'The slug of the identity provider.' }),
});

export const DiscoverSignIn = Type.Object(
  { email: Type.String({ minLength: 3, maxLength: 254, format: 'email' }) },
  { $id: 'DiscoverSignIn', description: 'The email address of a person who wants to sign in.' },
);

export const SignInWay = Type.Object(
  {
    method: Type.Unsafe<'sso' | 'password'>({
      type: 'string',
      enum: ['sso', 'password'],
      description: 'By the identity provider of the domain, or by password or passkey.',
    }),
    slug: Type.Union([Type.String(), Type.Null()], { description: 'The identity provider; null for `password`.' }),
    name: Type.Union([Type.String(), Type.Null()], { description: 'Name of the provider; null for `password`.' }),
    required: Type.Boolean({ description: 'Whether the company accepts no passwords.' }),
  },
  { $id: 'SignInWay', description: 'How people with addresses of this domain sign in.' },
);
export type SignInWay = Static<typeof SignInWay>;

export const StartQuery = Type.Object({
  returnTo: Type.String({
    minLength: 1,
    maxLength: 2048,
    description:
      'The page that receives the code: one of the URLs in `SSO_RETURN_URLS`, or the sign-in page of the platform.',
  }),
  codeChallenge: Type.String({
    pattern: '^[A-Za-z0-9_-]{43}$',
    description: 'The SHA-256 of a random verifier that the application keeps, in base64url (PKCE, S256).',
  }),
  state: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: 'Returned to the application unchanged.' }),
  ),
  loginHint: Type.Optional(
    Type.String({ minLength: 1, maxLength: 254, description: 'The email address, which the provider fills in.' }),
  ),
});

const text = (maxLength: number, description: string) => Type.Optional(Type.String({ maxLength, description }));

/** Providers add members of their own. */
export const OidcReply = Type.Object(
  {
    state: text(500, 'Identifies the sign-in.'),
    code: text(8192, 'The code of the provider.'),
    iss: text(2048, 'The issuer of the code.'),
    error: text(200, 'Why the provider has refused.'),
    error_description: text(2000, 'The error in words.'),
  },
  { additionalProperties: true },
);

export const SamlReply = Type.Object(
  {
    SAMLResponse: Type.String({ minLength: 1, maxLength: 500_000, description: 'The response in base64.' }),
    RelayState: text(500, 'Identifies the sign-in.'),
  },
  { $id: 'SamlReply', description: 'What a SAML identity provider posts.' },
);

export const ExchangeSsoCode = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 200, description: 'The code from the address of the page.' }),
    codeVerifier: Type.String({
      pattern: '^[A-Za-z0-9._~-]{43,128}$',
      description: 'The verifier whose challenge started the sign-in.',
    }),
    workspaceId: Type.Optional(
      Type.String({ format: 'uuid', description: 'The workspace to work in; omit it for the one joined first.' }),
    ),
  },
  { $id: 'ExchangeSsoCode', description: 'The code of a sign-in, which works once and for a minute.' },
);
