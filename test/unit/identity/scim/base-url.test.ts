import { afterEach, expect, it, vi } from 'vitest';
import { scimBaseUrl } from '../../../../functions/identity/scim/protocol/chain.ts';

afterEach(() => vi.unstubAllEnvs());

it('the address of SCIM is that of the request, or of the deployment behind a proxy', () => {
  const headers = { host: 'internal', 'x-forwarded-proto': 'https' };
  vi.stubEnv('PUBLIC_URL', '');
  expect(scimBaseUrl(headers)).toBe('https://internal/api/scim/v2');
  vi.stubEnv('PUBLIC_URL', 'https://analytics.example.com');
  expect(scimBaseUrl(headers)).toBe('https://analytics.example.com/api/scim/v2');
});
