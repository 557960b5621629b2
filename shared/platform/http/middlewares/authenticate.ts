import type { Logger } from '@aws-lambda-powertools/logger';
import type { Authenticate } from '../../auth/authenticate.ts';
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
      if (binding.of(event).route.permission === 'public') return;
      const caller = await deps.authenticate(headersOf(event).authorization, deps.now());
      principal.set(event, caller);
      deps.log.appendKeys({ workspaceId: caller.workspaceId, userId: caller.userId });
    },
  };
}
