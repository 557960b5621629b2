import { isMapping } from './parts.ts';
import { type LocalFile, nameOf, type Project } from './project.ts';
import { readValue } from './rewrite.ts';

/** The keys of the flowlets that the recipes of a file use in their newest versions. */
export async function flowletsOf({ text }: Pick<LocalFile, 'text'>): Promise<Set<string>> {
  const keys = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isMapping(value)) return;
    const { op, flowlet, version } = value;
    if (op === 'flowlet' && typeof flowlet === 'string' && version === undefined) keys.add(flowlet);
    Object.values(value).forEach(visit);
  };
  // What the platform does not read as YAML, it reports.
  visit(await readValue(text).catch(() => undefined));
  return keys;
}

export interface Follower {
  file: LocalFile;
  /** The one of the flowlets that it uses. */
  flowlet: string;
}

/** The files that use one of the flowlets, also by other flowlets. */
export async function followersOf({ files }: Project, keys: ReadonlySet<string>): Promise<Follower[]> {
  const users = [...files.values()].filter(({ kind }) => kind === 'flowlet' || kind === 'pipeline');
  const uses = await Promise.all(users.map(async (file) => ({ file, flowlets: await flowletsOf(file) })));
  const followed = new Set(keys);
  const found = new Map<string, Follower>();
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const { file, flowlets } of uses) {
      const flowlet = [...flowlets].find((key) => followed.has(key));
      if (flowlet === undefined || found.has(nameOf(file))) continue;
      found.set(nameOf(file), { file, flowlet });
      if (file.kind === 'flowlet') followed.add(file.key);
    }
  }
  return [...found.values()];
}

/** Batches of files, each of which uses only flowlets of those before it. */
export async function inOrderOfUse<L extends { key: string; file?: LocalFile }>(lines: readonly L[]): Promise<L[][]> {
  const uses = new Map<L, Set<string>>();
  for (const line of lines) uses.set(line, line.file ? await flowletsOf(line.file) : new Set());
  const batches: L[][] = [];
  let left = [...lines];
  while (left.length > 0) {
    const keys = new Set(left.map(({ key }) => key));
    const ready = left.filter((line) => ![...uses.get(line)!].some((key) => key !== line.key && keys.has(key)));
    // Those that use each other are rejected.
    const batch = ready.length > 0 ? ready : left;
    batches.push(batch);
    left = left.filter((line) => !batch.includes(line));
  }
  return batches;
}
