import type { Issue } from '../../../../shared/platform/errors/app-error.ts';
import { escapePointer } from '../../../../shared/platform/validation/json-pointer.ts';
import type { Members } from '../kinds/kind.ts';
import { type Names, unknownKey } from './names.ts';

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isUse = (value: Members): boolean => value.op === 'flowlet';

/** A recipe with the keys of its flowlets in place of the ids of versions, and without what they expand to. */
export async function withFlowletKeys(value: unknown, names: Names): Promise<unknown> {
  const inside = (each: unknown) => withFlowletKeys(each, names);
  if (Array.isArray(value)) return Promise.all(value.map(inside));
  if (!isObject(value)) return value;
  if (!isUse(value) || typeof value.flowletId !== 'string') return eachMember(value, (each) => inside(each));
  const { flowletId, ops: _expanded, version: _stored, ...use } = value;
  const found = await names.flowletOf(flowletId as string);
  // A recipe may have kept what a flowlet was that has been retired.
  if (!found) return { ...use, flowlet: flowletId };
  const flowlet = await names.keyOf('flowlet', found.seriesId);
  return { ...use, flowlet, ...(!found.isNewest && { version: found.version }) };
}

export interface WithFlowlets {
  /** With ids. */
  members: Members;
  /** The file in its only form: a version that is the newest one is not named. */
  file: Members;
  /** The newest versions that it uses because it names none, by their series. */
  follows: Record<string, string>;
  issues: Issue[];
}

/** A recipe with the ids of versions in place of keys. A flowlet without a version is the newest one. */
export async function withFlowletIds(given: Members, names: Names): Promise<WithFlowlets> {
  const issues: Issue[] = [];
  const follows: Record<string, string> = {};

  const use = async (op: Members, at: string): Promise<[Members, Members]> => {
    const { issue, followed, ...sides } = await resolveUse(op, at, names);
    if (issue) issues.push(issue);
    if (followed) follows[followed.seriesId] = followed.id;
    return [sides.members, sides.file];
  };

  const read = async (value: unknown, at: string): Promise<[unknown, unknown]> => {
    if (Array.isArray(value)) {
      const items = await Promise.all(value.map((each, index) => read(each, `${at}/${index}`)));
      return [items.map(([members]) => members), items.map(([, file]) => file)];
    }
    if (!isObject(value)) return [value, value];
    if (isUse(value)) return use(value, at);
    const entries = await Promise.all(
      Object.entries(value).map(
        async ([name, each]) => [name, await read(each, `${at}/${escapePointer(name)}`)] as const,
      ),
    );
    const side = (index: 0 | 1) => Object.fromEntries(entries.map(([name, sides]) => [name, sides[index]]));
    return [side(0), side(1)];
  };
  const [members, file] = await read(given, '');
  return { members: members as Members, file: file as Members, follows, issues };
}

interface ResolvedUse {
  members: Members;
  file: Members;
  /** The newest version, where the file names none. */
  followed?: { seriesId: string; id: string };
  issue?: Issue;
}

async function resolveUse({ flowlet, version, ...others }: Members, at: string, names: Names): Promise<ResolvedUse> {
  const asGiven = {
    members: { ...others, flowletId: flowlet },
    file: { ...others, flowlet, ...(version !== undefined && { version }) },
  };
  const invalid = (member: string, code: string, message: string): ResolvedUse => ({
    ...asGiven,
    issue: { pointer: `${at}/${member}`, code, message },
  });
  if (typeof flowlet !== 'string') return invalid('flowlet', 'REQUIRED', 'must be the key of a flowlet');
  if (!isVersion(version))
    return invalid('version', 'TYPE', 'must be the number of a version; omit it to use the newest one');
  const seriesId = await names.idOf('flowlet', flowlet);
  const newest = seriesId === undefined ? undefined : await names.flowletVersion(seriesId);
  if (seriesId === undefined || newest === undefined) {
    // An id stands for a version that has been retired.
    return seriesId === flowlet ? asGiven : { ...asGiven, issue: unknownKey(`${at}/flowlet`, 'flowlet', flowlet) };
  }
  const wanted = version === undefined ? newest : await names.flowletVersion(seriesId, version);
  if (wanted === undefined)
    return invalid('version', 'UNKNOWN_VERSION', `The flowlet ${flowlet} has no version ${version}.`);
  return {
    members: { ...others, flowletId: wanted },
    file: { ...others, flowlet, ...(wanted !== newest && { version }) },
    ...(version === undefined && { followed: { seriesId, id: newest } }),
  };
}

const isVersion = (version: unknown): version is number | undefined =>
  version === undefined || (Number.isInteger(version) && Number(version) >= 1);

async function eachMember(value: Members, change: (value: unknown) => Promise<unknown>): Promise<Members> {
  const entries = Object.entries(value).map(
    async ([name, each]): Promise<[string, unknown]> => [name, await change(each)],
  );
  return Object.fromEntries(await Promise.all(entries));
}
