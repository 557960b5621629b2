import { describe, expect, it } from 'vitest';
import { isOfHostedDomain, isVouchedFor } from '../../../../functions/identity/sso/sign-in/admit-person.ts';

const oidc = {
  issuer: 'https://idp.example',
  clientId: 'x',
  scopes: [],
  emailClaim: 'email',
  groupsClaim: null,
  trustsMail: false,
};

describe('linking an existing account', () => {
  it.each([
    [true, false, true],
    [undefined, true, true],
    [undefined, false, false],
    [false, true, false],
  ])('with email_verified %s and trustsMail %s: %s', (isEmailVerified, trustsMail, expected) => {
    expect(isVouchedFor({ oidc: { ...oidc, trustsMail } }, { isEmailVerified })).toBe(expected);
  });
});

describe('a person of Google', () => {
  const verified = new Set(['acme.example']);
  const at = (issuer: string, hostedDomain?: string) =>
    isOfHostedDomain({ oidc: { ...oidc, issuer } }, { hostedDomain }, verified);

  it('needs a hosted domain that the provider has proven', () => {
    for (const issuer of ['https://accounts.google.com', 'https://accounts.google.com/']) {
      expect(at(issuer, 'Acme.example')).toBe(true);
      expect(at(issuer, 'other.example')).toBe(false);
      expect(at(issuer)).toBe(false);
    }
  });

  it('is the only one that needs it', () => {
    expect(at('https://idp.example')).toBe(true);
    expect(isOfHostedDomain({ oidc: null }, {}, verified)).toBe(true);
  });
});
