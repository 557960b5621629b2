import { queries } from './query.ts';
import { openSession } from './session.ts';

const LAST = 'last-workspace';

/** The workspace that this browser worked in last. */
export const lastWorkspace = (): string | null => localStorage.getItem(LAST);

/** Continues in another workspace of the person. Nothing of the former one stays in memory. */
export async function switchWorkspace(workspaceId: string): Promise<void> {
  await openSession({ workspaceId });
  localStorage.setItem(LAST, workspaceId);
  queries.clear();
}
