import { api } from './client.ts';
import { useQuery } from './query.ts';

const MAX = 200;

/** The names of members by their ids: the first ones by name, which are all in most workspaces. */
export function useNames(): ReadonlyMap<string, string> | undefined {
  return useQuery(
    ['members', 'names'],
    async () => {
      const { items } = await api.workspaces.listMembers({ limit: MAX, sort: 'name' });
      return new Map(items.map(({ userId, name, email }) => [userId, name || email]));
    },
    { everyMs: false },
  ).data;
}
