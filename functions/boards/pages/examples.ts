import type { ExamplesOf } from '../../../shared/platform/http/example.ts';
import { IDS } from '../../platform/example-values.ts';
import type * as routes from './routes.ts';

export const examples: ExamplesOf<typeof routes> = {
  getSignInPage: {},
  getDevicePage: {},
  getConnectPage: {},
  getDashboardPage: {},
  getStoryPage: {},
  getSharePage: {},
  unlockSharePage: {
    request: { password: 'correct horse battery' },
    reply: {
      title: 'Sales',
      rules: ':root{--theme:#4269d0}',
      bodyClass: '',
      body: '<main id="content"><h1>Sales</h1></main>',
      config: { token: 'sh_2v7l0X0hB6pQk4J8n1cY5tRzWm3sEaUd', cards: [], filters: [] },
    },
  },
  getEmbedPage: {},
  getEmbedScript: {},
  openPageSession: {
    request: {},
    reply: {
      accessToken: 'eyJhbGciOiJFZERTQSIsImtpZCI6IjEifQ.eyJzdWIiOiIwMTliMmM0ZSJ9.c2lnbmF0dXJl',
      expiresInSeconds: 900,
      workspaceId: IDS.workspace,
      user: {
        id: IDS.user,
        email: 'ada@example.com',
        name: 'Ada Lovelace',
        companyId: IDS.company,
        companyRole: 'company_admin',
      },
    },
  },
  endPageSession: { reply: { signedOut: true } },
  getPageAsset: {},
};
