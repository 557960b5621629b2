import { useMemo } from 'preact/hooks';
import { allOf, PAGE } from './all.ts';
import { api, type Types } from './client.ts';
import { useQuery } from './query.ts';

export type Member = Types.Member;

const EVERY_MS = 300_000;

/** The members of the workspace by their ids; undefined until they are read. */
export const useMembers = (): ReadonlyMap<string, Member> | undefined =>
  useQuery(['members', 'all'], readMembers, { everyMs: EVERY_MS }).data;

/** The names of members by their ids; undefined until they are read. */
export function useNames(): ReadonlyMap<string, string> | undefined {
  const members = useMembers();
  return useMemo(
    () => members && new Map([...members.values()].map(({ userId, name, email }) => [userId, name || email])),
    [members],
  );
}

async function readMembers(): Promise<ReadonlyMap<string, Member>> {
  const all = await allOf(api.workspaces.listMembers({ limit: PAGE }));
  return new Map(all.map((member) => [member.userId, member]));
}
