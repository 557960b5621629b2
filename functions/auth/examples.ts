import type { ExamplesOf } from '../../shared/platform/http/example.ts';
import { IDS } from '../example-values.ts';
import type * as routes from './routes.ts';

const user = {
  id: IDS.user,
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  companyId: IDS.company,
  companyRole: 'company_admin',
};

const signedIn = {
  accessToken: 'eyJhbGciOiJFZERTQSIsImtpZCI6InYxIn0.eyJzdWIiOiJhZGEifQ.5pT2Qw',
  refreshToken: 'rt_019b2c4e_8HkVn3Xq',
  tokenType: 'Bearer',
  expiresInSeconds: 900,
  workspaceId: IDS.workspace,
  user,
};

export const examples: ExamplesOf<typeof routes> = {
  login: { request: { email: 'ada@example.com', password: 'correct horse battery staple' }, reply: signedIn },
  refresh: { request: { refreshToken: 'rt_019b2c4e_8HkVn3Xq' }, reply: signedIn },
  logout: {},
  me: {
    reply: {
      user,
      workspaceId: IDS.workspace,
      role: 'admin',
      workspaces: [{ id: IDS.workspace, name: 'Sales', role: 'admin' }],
      attributes: { region: ['eu', 'us'] },
      groups: [{ id: IDS.group, name: 'Finance' }],
    },
  },
};
