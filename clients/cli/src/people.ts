import type { Analytics } from '../../typescript/src/index.ts';

/** The email addresses of members of the workspace by their ids; none for callers who may not list them. */
export async function emailsOf({ workspaces }: Analytics, ids: Iterable<string>): Promise<Map<string, string>> {
  const wanted = new Set(ids);
  const emails = new Map<string, string>();
  try {
    for await (const { userId, email } of workspaces.listMembers({ limit: 100 })) {
      if (wanted.delete(userId)) emails.set(userId, email);
      if (wanted.size === 0) break;
    }
  } catch {
    // Ids have to do.
  }
  return emails;
}
