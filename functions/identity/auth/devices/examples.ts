import { PROGRAM_GRANTS } from '../../../../shared/domains/identity/sessions/index.ts';
import type { ExamplesOf } from '../../../../shared/platform/http/example.ts';
import { SIGNED_IN } from '../../../platform/example-values.ts';
import type * as routes from './routes.ts';
import { WARNING } from './use-cases.ts';

const userCode = 'WDJB-MJHT';
const redirectUri = 'http://127.0.0.1:49152/callback';
const signInCode = 'sc_mN7oP9qRs8HkVn3XqL0sYzTq2aB4cD6eF8gH1iJ3kL5';
const deviceCode = 'dc_8HkVn3XqL0sYzTq2aB4cD6eF8gH1iJ3kL5mN7oP9qRs';

export const deviceExamples: ExamplesOf<typeof routes> = {
  startDeviceSignIn: {
    request: { clientName: 'analytics on ada-laptop' },
    reply: {
      deviceCode,
      userCode,
      verificationUri: 'https://api.example.com/api/d/device',
      expiresInSeconds: 600,
      intervalSeconds: 5,
    },
  },
  redeemDeviceCode: { request: { deviceCode }, reply: SIGNED_IN },
  findDeviceSignIn: {
    request: { userCode },
    reply: {
      userCode,
      clientName: 'analytics on ada-laptop',
      sourceIp: '203.0.113.7',
      userAgent: 'analytics-cli/0.1',
      isSameNetwork: true,
      requestedAt: '2026-02-03T10:15:00.000Z',
      expiresAt: '2026-02-03T10:25:00.000Z',
      grants: PROGRAM_GRANTS,
      warning: WARNING,
    },
  },
  approveDeviceSignIn: { request: { userCode } },
  denyDeviceSignIn: { request: { userCode } },
  approveBrowserSignIn: {
    request: {
      clientName: 'analytics on ada-laptop',
      redirectUri,
      codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      state: 'af0ifjsldkj-QkC2mQwL',
    },
    reply: { redirectTo: `${redirectUri}?code=${signInCode}&state=af0ifjsldkj-QkC2mQwL` },
  },
  redeemSignInCode: {
    request: { code: signInCode, codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk', redirectUri },
    reply: SIGNED_IN,
  },
};
