import { randomBytes } from 'node:crypto';
import { WebAuthnEmulator } from 'nid-webauthn-emulator';
import { TOTP } from 'otpauth';
import { expect } from 'vitest';
import { itWithOwnCompany as it } from '../../../support/api.ts';
import { browse } from '../../../support/browser.ts';
import {
  APPLICATION,
  callbackOf,
  challengeOf,
  newDomain,
  newSlug,
  publishProof,
} from '../../../support/given/identity-provider.ts';
import { SCIM } from '../../../support/given/provisioner.ts';
import { followGuide } from '../../../support/guide-examples.ts';
import { openOpenIdProvider } from '../../../support/oidc-provider.ts';
import { newSamlProvider } from '../../../support/saml-provider.ts';

/** The page that creates a passkey in its user's browser. */
const PAGE = 'http://localhost:3000';
const TOTP_STEP_MS = 30_000;

it('docs/sso-scim.md shows requests that succeed, and replies as they are', async ({ api }) => {
  const [slug, domain] = [newSlug(), newDomain()];
  const peer = await openOpenIdProvider([callbackOf(api, slug)]);
  const ada = `ada@${domain}`;
  peer.people.set(ada, { email: ada, email_verified: true, name: 'Ada' });
  const { metadata } = await newSamlProvider();

  const { email, password } = await api.password('owner');
  const adminId = (await api.as('owner').get('/api/auth/me')).body.user.id;
  const { secret } = (await api.as('owner').post('/api/auth/mfa/enroll', { password })).body;
  const totp = new TOTP({ secret });
  const on = await api.as('owner').post('/api/auth/mfa/activate', { code: totp.generate() });
  expect(on.status).toBe(200);

  const codeVerifier = randomBytes(32).toString('base64url');
  const state = 'the state of the application';
  const device = new WebAuthnEmulator();
  let scimToken = '';
  await followGuide(api, 'sso-scim.md', {
    instead: {
      'https://example.okta.com': peer.issuer,
      'example-okta': slug,
      'example-entra': `${slug}-entra`,
      '0oa1b2c3d4': peer.clientId,
      'example.com': domain,
    },
    values: {
      ...{ workspaceId: api.workspaceId, clientSecret: peer.clientSecret, adminId, email, password, codeVerifier },
      metadata: JSON.stringify(metadata).slice(1, -1),
      returnTo: encodeURIComponent(APPLICATION),
      codeChallenge: challengeOf(codeVerifier),
      state: encodeURIComponent(state),
      // The code of the current step was used to turn the second factor on.
      totp: totp.generate({ timestamp: Date.now() + TOTP_STEP_MS }),
    },
    callerOf: ({ path }) => {
      if (path.startsWith(SCIM)) return { token: scimToken };
      return path.startsWith('/api/auth/sso') ? 'anonymous' : 'owner';
    },
    after: async ({ method, path }, { body, headers }) => {
      if (path === '/api/identity-providers' && body.type === 'oidc') {
        await publishProof(body, domain);
        return { id: body.id };
      }
      if (path.includes('/start?')) {
        const page = await browse(headers.get('location')!, (url) => url.href.startsWith(APPLICATION));
        expect(page.searchParams.get('state')).toBe(state);
        return { code: page.searchParams.get('code')! };
      }
      if (path === '/api/auth/passkeys/options') return { response: JSON.stringify(device.createJSON(PAGE, body)) };
      if (path === '/api/scim/tokens') scimToken = body.token;
      return method === 'POST' && path === `${SCIM}/Users` ? { userId: body.id } : {};
    },
  });
});
