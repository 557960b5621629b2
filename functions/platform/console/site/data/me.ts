import { api, type Types } from './client.ts';
import { type Query, queries, useQuery } from './query.ts';
import { session } from './session.ts';

export type Me = Types.Me;
export type Role = 'viewer' | 'editor' | 'admin';

const RANKS: readonly string[] = ['viewer', 'editor', 'admin'];

const key = () => ['me', session.value?.workspaceId];

/** The person who is signed in, with the workspace and the role there. */
export const useMe = (): Query<Me> => useQuery(key(), () => api.auth.me(), { enabled: Boolean(session.value) });

/** Undefined until it is read. */
export const knownMe = (): Me | undefined => queries.getQueryData<Me>(key());

/** Whether a role includes another one. */
export const hasRole = (me: Me | undefined, role: Role): boolean =>
  me !== undefined && RANKS.indexOf(me.role) >= RANKS.indexOf(role);
