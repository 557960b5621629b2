import { groupsOf } from '../../shared/domains/groups/index.ts';
import { attributesOf } from '../../shared/domains/workspaces/index.ts';
import { passwords } from '../../shared/platform/auth/password.ts';
import type { Principal } from '../../shared/platform/auth/principal.ts';
import { bind, bindPublic } from '../../shared/platform/http/bind.ts';
import { endpointGroup } from '../../shared/platform/http/endpoint-group.ts';
import { environment, openGroup } from '../../shared/platform/http/open-group.ts';
import { signInAttempts } from './attempts.ts';
import { authRepository } from './repository.ts';
import * as routes from './routes.ts';
import { describeMe } from './use-cases/describe-me.ts';
import { login } from './use-cases/login.ts';
import { refresh } from './use-cases/refresh.ts';

const group = openGroup('auth');
const deps = {
  accounts: authRepository(group.table),
  attempts: signInAttempts(group.table),
  tokens: group.tokens,
  passwords: passwords(Number(environment('PASSWORD_COST'))),
  attributesOf: (principal: Principal) => attributesOf(group.table, principal),
  groupsOf: (principal: Principal) => groupsOf(group.table, principal),
  now: group.now,
};

export const handler = endpointGroup(
  [
    bindPublic(routes.login, ({ body, sourceIp, newId }) => login(deps, { ...body, sourceIp, sessionId: newId })),
    bindPublic(routes.refresh, ({ body }) => refresh(deps, body)),
    bind(routes.logout, ({ principal }) => deps.accounts.revoke(principal.userId, principal.credentialId, deps.now())),
    bind(routes.me, ({ principal }) => describeMe(deps, principal)),
  ],
  group,
);
