import { api, type Types } from '../../data/client.ts';
import { useQuery } from '../../data/query.ts';

const MAX = 200;

/** The members of the workspace, by their ids. Others who take part are not named. */
export function usePeople(): ReadonlyMap<string, Types.Member> {
  const members = useQuery(['members', 'names'], () => api.workspaces.listMembers({ limit: MAX })).data?.items;
  return new Map(members?.map((member) => [member.userId, member]));
}
