import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { IDS, SIGNED_IN, USER } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

const me = {
  user: USER,
  language: 'en-GB',
  timezone: 'Europe/London',
  timeZone: 'Europe/London',
  emailConfirmed: true,
  mfa: { enabled: false, recoveryCodesLeft: 0 },
  workspaceId: IDS.workspace,
  role: 'admin',
  workspaces: [{ id: IDS.workspace, name: 'Sales', role: 'admin' }],
  attributes: { region: ['eu', 'us'] },
  groups: [{ id: IDS.group, name: 'Finance' }],
};

const recoveryCodes = { recoveryCodes: ['mfxg-6zdp-nrsx-i2lo', 'orzg-c4tj-obzg-k5dl'] };

export const examples: ExamplesOf<typeof routes> = {
  login: { request: { email: 'ada@example.com', password: 'correct horse battery staple' }, reply: SIGNED_IN },
  refresh: { request: { refreshToken: 'rt_019b2c4e_8HkVn3Xq' }, reply: SIGNED_IN },
  logout: {},
  jwks: {
    reply: {
      keys: [
        {
          kty: 'OKP',
          crv: 'Ed25519',
          x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
          kid: 'v1',
          alg: 'EdDSA',
          use: 'sig',
        },
      ],
    },
  },
  me: { reply: me },
  changeProfile: { request: { language: 'en-GB', timezone: 'Europe/London' }, reply: me },
  changePassword: {
    request: { currentPassword: 'correct horse battery staple', newPassword: 'an even longer horse battery' },
  },
  forgotPassword: { request: { email: 'ada@example.com' }, reply: { expiresInSeconds: 1800 } },
  resetPassword: {
    request: { token: `pr_${IDS.user}_8HkVn3XqL0sYzTq2aB4cD6eF8gH1iJ3kL5mN7oP9qR`, newPassword: 'a long new password' },
  },
  confirmEmail: { request: { email: 'ada.king@example.com' } },
  confirmEmailByMail: {
    request: { token: `ea_${IDS.user}_${IDS.invitation}_8HkVn3XqL0sYzTq2aB4cD6eF8gH1iJ3kL5mN7oP9qR` },
  },
  acceptInvitation: {
    request: {
      token: `iv_${IDS.workspace}_${IDS.invitation}_0sYzTq2aB4cD6eF8gH1iJ3kL5mN7oP9qR8HkVn3XqL`,
      name: 'Grace Hopper',
      password: 'a long first password',
    },
    reply: { workspaceId: IDS.workspace, workspaceName: 'Sales', email: 'grace@example.com' },
  },
  listSessions: {
    reply: {
      items: [
        {
          id: IDS.session,
          workspaceId: IDS.workspace,
          createdAt: '2026-01-30T09:00:00.000Z',
          lastUsedAt: '2026-01-31T08:15:30.000Z',
          expiresAt: '2026-03-02T08:15:30.000Z',
          sourceIp: '203.0.113.7',
          userAgent: 'Mozilla/5.0 (Macintosh)',
          isCurrent: true,
        },
      ],
      total: 1,
    },
  },
  endSession: {},
  endOtherSessions: {},
  verifyMfa: {
    request: { mfaToken: 'eyJhbGciOiJIUzI1NiIsImtpZCI6InYxIn0.eyJhdWQiOiJtZmEifQ.q8ZxNw', code: '492039' },
    reply: SIGNED_IN,
  },
  enrolMfa: {
    request: { password: 'correct horse battery staple' },
    reply: {
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      otpauthUrl:
        'otpauth://totp/Analytics:ada%40example.com?issuer=Analytics&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
    },
  },
  activateMfa: { request: { code: '492039' }, reply: recoveryCodes },
  replaceRecoveryCodes: { request: { code: '492039' }, reply: recoveryCodes },
  turnOffMfa: { request: { password: 'correct horse battery staple', code: '492039' } },
};
