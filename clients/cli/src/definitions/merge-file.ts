import { merge } from './merge.ts';
import { isMapping } from './parts.ts';
import type { LocalFile } from './project.ts';
import { type Rewritten, readValue, rewrite } from './rewrite.ts';
import type { Variables } from './variables.ts';

export interface MergedFile extends Partial<Rewritten> {
  /** Why they cannot. */
  conflicts: string[];
}

/** The file with what has changed on the platform since it was deployed, if the file has not changed the same. */
export async function mergeFile(
  file: LocalFile,
  variables: Variables,
  { base, yaml }: { base: string | null; yaml: string },
): Promise<MergedFile> {
  if (base === null) return { conflicts: ['the platform has not kept what was last deployed'] };
  const [before, ours, theirs] = await Promise.all([base, file.text, yaml].map(readValue));
  const { value, conflicts } = merge(before, ours, theirs);
  if (conflicts.length > 0 || !isMapping(value)) return { conflicts };
  return { ...(await rewrite(file, variables, value)), conflicts };
}
