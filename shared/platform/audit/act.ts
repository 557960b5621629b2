import { AsyncLocalStorage } from 'node:async_hooks';
import type { Principal } from '../auth/principal.ts';
import type { AuditAction } from './actions.ts';

export const ACTOR_TYPES = ['user', 'apiKey', 'scim', 'system'] as const;

/** Who acted, as they were called at the time. */
export interface AuditActor {
  type: (typeof ACTOR_TYPES)[number];
  id: string | null;
  name: string | null;
  email: string | null;
}

export const SYSTEM: AuditActor = { type: 'system', id: null, name: null, email: null };

/** Where an act belongs: every entry to a company, and to a workspace unless it concerns the company as a whole. */
export interface AuditPlace {
  companyId: string;
  workspaceId: string | null;
}

/** The request whose writes are logged. */
export interface Act {
  /** The actions that the route declares. */
  actions: readonly AuditAction[];
  /** Both absent where the route needs no credentials: the use case then names them. */
  actor?: AuditActor;
  place?: AuditPlace;
  /** Absent where the route needs no credentials, and in the protocol of identity providers. */
  caller?: Principal;
  address: string;
  userAgent: string | null;
  requestId: string;
  /** Headers that the work adds to its reply. */
  replyHeaders: Record<string, string>;
}

/**
 * Lasts as long as the request, like the expectation of `If-Match`: the entry is written where the change is written,
 * in its transaction, and an argument through every use case could be forgotten.
 */
const acts = new AsyncLocalStorage<Act>();

export function auditing<T>(act: Act, work: () => Promise<T>): Promise<T> {
  return acts.run(act, work);
}

/** Undefined where nothing is logged: in workers, and in requests whose route declares no action. */
export const currentAct = (): Act | undefined => acts.getStore();

export function actorOf(caller: Principal): AuditActor {
  const { kind, userId, credentialId, name = null, email = null } = caller;
  return { type: kind, id: kind === 'user' ? userId : credentialId, name, email };
}
