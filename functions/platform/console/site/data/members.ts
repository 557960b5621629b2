import { useMemo } from 'preact/hooks';
import { allOf, PAGE } from './all.ts';
import { api, type Types } from './client.ts';
import { issueOfChoices } from './problem.ts';
import { useQuery } from './query.ts';

export type Member = Types.Member;

const EVERY_MS = 300_000;

const useRead = () => useQuery(['members', 'all'], readMembers, { everyMs: EVERY_MS });

/** The members of the workspace by their ids; undefined until they are read. */
export const useMembers = (): ReadonlyMap<string, Member> | undefined => useRead().data;

/** What a choice of members says if they could not be read. */
export function useMembersIssue(): string | undefined {
  const { data, error } = useRead();
  return data ? undefined : issueOfChoices(error);
}

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
