import type { DraftDag, DraftStep } from './draft.ts';

/** What is saved of a pipeline by the editor. */
export interface Content {
  name: string;
  dag: DraftDag;
}

interface Merged {
  /** Both changes, with those of `mine` where both have changed the same. */
  mine: Content;
  /** The same, with those of `theirs`. */
  theirs: Content;
  /** What both have changed, by name, such as `Step orders`. */
  conflicts: readonly string[];
}

/** The parts that two people can change without meeting: the name, each step, and the other members. */
function partsOf({ name, dag: { steps, ...others } }: Content): Map<string, unknown> {
  return new Map<string, unknown>([
    ['Name', name],
    ...steps.map((step): [string, unknown] => [`Step ${step.id}`, step]),
    ...Object.entries(others).map(([member, value]): [string, unknown] => [`Member ${member}`, value]),
  ]);
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Both changes of one version, so that nothing of either is lost. */
export function merged(base: Content, mine: Content, theirs: Content): Merged {
  const [was, own, other] = [partsOf(base), partsOf(mine), partsOf(theirs)];
  const names = [...new Set([...other.keys(), ...own.keys(), ...was.keys()])];
  const both = { mine: new Map<string, unknown>(), theirs: new Map<string, unknown>() };
  const conflicts: string[] = [];
  for (const name of names) {
    const [before, a, b] = [was.get(name), own.get(name), other.get(name)];
    const isConflict = !isSame(a, b) && !isSame(a, before) && !isSame(b, before);
    if (isConflict) conflicts.push(name);
    const either = isSame(a, before) ? b : a;
    for (const [side, value] of [
      ['mine', isConflict ? a : either],
      ['theirs', isConflict ? b : either],
    ] as const)
      if (value !== undefined) both[side].set(name, value);
  }
  return { mine: contentOf(both.mine), theirs: contentOf(both.theirs), conflicts };
}

function contentOf(parts: ReadonlyMap<string, unknown>): Content {
  const members = [...parts].flatMap(([name, value]) =>
    name.startsWith('Member ') ? [[name.slice('Member '.length), value] as const] : [],
  );
  const steps = [...parts].flatMap(([name, value]) => (name.startsWith('Step ') ? [value as DraftStep] : []));
  return { name: String(parts.get('Name')), dag: { version: 1, ...Object.fromEntries(members), steps } };
}

/** Where two versions of a part differ, as people read it: of a step, setting by setting. */
export function differencesIn(
  part: string,
  theirs: Content,
  mine: Content,
): { label: string; theirs: string; mine: string }[] {
  const [other, own] = [partsOf(theirs).get(part), partsOf(mine).get(part)];
  const label = part.replace(/^Member /, '');
  if (!isObject(other) || !isObject(own)) return [{ label, theirs: written(other), mine: written(own) }];
  const [a, b] = [settingsOf(other), settingsOf(own)];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .filter((name) => !isSame(a[name], b[name]))
    .map((name) => ({ label: `${label}: ${name}`, theirs: written(a[name]), mine: written(b[name]) }));
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The members of a step with those of its settings. */
const settingsOf = ({ config, ...others }: Record<string, unknown>): Record<string, unknown> => ({
  ...others,
  ...(isObject(config) ? config : config !== undefined && { config }),
});

const written = (value: unknown): string =>
  value === undefined ? 'nothing' : typeof value === 'string' ? value : JSON.stringify(value);
