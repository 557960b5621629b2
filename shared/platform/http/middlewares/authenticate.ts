import type { Logger } from '@aws-lambda-powertools/logger';
import type { Authenticate } from '../../auth/authenticate.ts';
import { needsFreshRights } from '../../auth/permissions.ts';
import type { Principal } from '../../auth/principal.ts';
import { headersOf } from '../headers.ts';
import { binding } from './match-route.ts';
import { type ApiMiddleware, RequestValue } from './request-value.ts';

/** The caller; unset for public operations. */
export const principal = new RequestValue<Principal>('caller');

/** Identifies the caller by an access token or an API key. */
export function authenticate(deps: { authenticate: Authenticate; now(): Date; log: Logger }): ApiMiddleware {
  return {
    before: async ({ event }) => {
      const { permission } = binding.of(event).route;
      if (permission === 'public') return;
      const isFresh = permission !== 'scim' && needsFreshRights(permission);
      const caller = await deps.authenticate(headersOf(event).authorization, deps.now(), { isFresh });
      principal.set(event, caller);
      deps.log.appendKeys({ workspaceId: caller.workspaceId, userId: caller.userId });
    },
  };
}
