import { allOf, PAGE } from './all.ts';
import { api, type Types } from './client.ts';
import { useQuery } from './query.ts';

export type Member = Types.Member;

const STALE_MS = 300_000;

/** The members of the workspace by their ids; undefined until they are read. */
export function useMembers(): ReadonlyMap<string, Member> | undefined {
  return useQuery(['members'], readMembers, { everyMs: STALE_MS }).data;
}

async function readMembers(): Promise<ReadonlyMap<string, Member>> {
  const all = await allOf(api.workspaces.listMembers({ limit: PAGE }));
  return new Map(all.map((member) => [member.userId, member]));
}
