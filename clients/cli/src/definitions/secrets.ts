import type { Analytics, CallOptions } from '../../../typescript/src/index.ts';
import type { PlanLine } from './plan.ts';
import { nameOf, type Project } from './project.ts';
import { secretsIn } from './variables.ts';

const MAX_COMPARED = 100;

/**
 * The files that have not changed, and whose secrets in the environment are others than were deployed. The platform
 * compares them for those who may change the object.
 */
export async function linesOfSecrets(
  { definitions }: Analytics,
  { files }: Project,
  { lines, only = [], env, options }: Comparing,
): Promise<PlanLine[]> {
  const known = new Set(lines.map(nameOf));
  const items = [...files.values()].flatMap((file) => {
    const secrets = secretsIn(file.text, env);
    const isWanted = (only.length === 0 || only.includes(nameOf(file))) && !known.has(nameOf(file));
    return isWanted && Object.keys(secrets).length > 0 ? [{ kind: file.kind as never, key: file.key, secrets }] : [];
  });
  const found: PlanLine[] = [];
  for (let start = 0; start < items.length; start += MAX_COMPARED) {
    const reply = await definitions.compareSecrets({ items: items.slice(start, start + MAX_COMPARED) }, options);
    for (const { kind, key, changed } of reply.items) {
      const file = files.get(nameOf({ kind, key }))!;
      if (changed.length > 0) found.push({ kind, key, action: 'change', details: [`new ${changed.join(', ')}`], file });
    }
  }
  return found;
}

interface Comparing {
  lines: readonly PlanLine[];
  only?: readonly string[] | undefined;
  env: Readonly<Record<string, string | undefined>>;
  options: CallOptions;
}
