import type { Entry } from './plan.ts';
import { type LocalFile, nameOf, type Project } from './project.ts';
import { movedTo } from './project-file.ts';

/** A file whose object has another key on the platform. */
export interface Move {
  from: Entry;
  file: LocalFile;
  /** Whether the project says so; otherwise the contents do. */
  isDeclared: boolean;
}

/**
 * The moves that the project declares, and those that the contents show: an object without a file, and a file without
 * an object, of which each is the only one of its kind with the content that was last deployed.
 */
export function movesOf({ name, files, moved }: Project, entries: ReadonlyMap<string, Entry>): Move[] {
  const left = [...entries.values()].filter((entry) => entry.managedBy?.project === name && !files.has(nameOf(entry)));
  const added = [...files.values()].filter((file) => !entries.has(nameOf(file)));
  const declared = left.flatMap((from): Move[] => {
    const file = added.find((each) => nameOf(each) === movedTo(moved, nameOf(from)));
    return file ? [{ from, file, isDeclared: true }] : [];
  });
  const known = new Set(declared.flatMap(({ from, file }) => [nameOf(from), nameOf(file)]));
  const contentOf = ({ kind }: { kind: string }, digest: string | undefined) => `${kind} ${digest}`;
  const onlyOnes = <T extends { kind: string; key: string }>(
    all: readonly T[],
    digestOf: (each: T) => string | undefined,
  ) => {
    const found = new Map<string, T[]>();
    for (const each of all) {
      if (known.has(nameOf(each))) continue;
      const content = contentOf(each, digestOf(each));
      found.set(content, [...(found.get(content) ?? []), each]);
    }
    return new Map([...found].flatMap(([content, same]) => (same.length === 1 ? [[content, same[0]!] as const] : [])));
  };
  const objects = onlyOnes(left, ({ applied }) => applied?.fileDigest);
  const shown = [...onlyOnes(added, ({ digest }) => digest)].flatMap(([content, file]): Move[] => {
    const from = objects.get(content);
    return from ? [{ from, file, isDeclared: false }] : [];
  });
  return [...declared, ...shown];
}
