import { canonical, digestOf } from '../../../../shared/domains/catalog/definitions/index.ts';
import type { Issue } from '../../../../shared/platform/errors/app-error.ts';
import { escapePointer } from '../../../../shared/platform/validation/json-pointer.ts';
import { loadYaml } from '../../../../shared/platform/validation/load-yaml.ts';
import type { DefinitionKind, Members } from '../kinds/kind.ts';
import { fileName } from './file-names.ts';
import { fileSchemaOf } from './file-schema.ts';
import { withFlowletIds, withFlowletKeys } from './flowlets.ts';
import { idsByName, type Names, unknownKey, unknownPart } from './names.ts';
import { withIdsOfSymbols, withSymbols } from './symbols.ts';

/** The content of a file in its only form, and its digest. */
export interface FileContent {
  file: Members;
  digest: string;
}

export function contentOf(kind: DefinitionKind, file: object): FileContent {
  const ordered = canonical(fileSchemaOf(kind), file) as Members;
  return { file: ordered, digest: digestOf(ordered) };
}

/** The text of the file that has the content. */
export async function textOf({ file }: FileContent): Promise<string> {
  const { writeYaml } = await loadYaml();
  return writeYaml(file);
}

/** What a file says about an object with these members. */
export async function fileOf(kind: DefinitionKind, object: Members, names: Names): Promise<FileContent> {
  const own = kind.show ? kind.show(object) : object;
  const shown = kind.usesFlowlets ? ((await withFlowletKeys(own, names)) as Members) : own;
  const members = kind.symbols ? await withSymbols(shown, kind.symbols, names) : shown;
  const kept = Object.keys(kind.members.properties).filter((name) => members[name] !== undefined);
  const parts = typeof members.modelId === 'string' && kind.parts ? await names.partsOf(members.modelId) : undefined;

  const withNames = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(withNames));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(async ([name, member]): Promise<[string, unknown]> => {
      const [target, part] = [kind.references[name], kind.parts?.[name]];
      if (target) return [fileName(name), await eachText(member, (id) => names.keyOf(target, id))];
      if (part) return [fileName(name), await eachText(member, async (id) => parts?.[part].get(id) ?? id)];
      return [name, await withNames(member)];
    });
    return Object.fromEntries(await Promise.all(entries));
  };
  const named = await withNames(Object.fromEntries(kept.map((name) => [name, members[name]])));
  return contentOf(kind, named as Members);
}

/** A text, the texts of a list, or null. */
const eachText = async (value: unknown, change: (text: string, index?: number) => Promise<unknown>) =>
  Array.isArray(value)
    ? Promise.all(value.map((each, index) => change(each as string, index)))
    : typeof value === 'string'
      ? change(value)
      : value;

export interface FileMembers {
  /** All members that a file describes, with ids. */
  members: Members;
  /** The file in its only form. */
  file: Members;
  /** The newest versions of flowlets that it uses because it names none, by their series. */
  follows: Record<string, string>;
  /** An issue for each key or name that leads to none. */
  issues: Issue[];
}

/** What a file says, with ids in place of keys and names. */
export async function membersOf(kind: DefinitionKind, file: Members, names: Names): Promise<FileMembers> {
  if (!kind.usesFlowlets) return { ...(await withIdsOf(kind, file, names)), file, follows: {} };
  const found = await withFlowletIds(file, names);
  const { members, issues } = await withIdsOf(kind, found.members, names);
  return { ...found, members, issues: [...found.issues, ...issues] };
}

async function withIdsOf(
  kind: DefinitionKind,
  file: Members,
  names: Names,
): Promise<{ members: Members; issues: Issue[] }> {
  const issues: Issue[] = [];
  const targets = new Map(
    Object.entries(kind.references).map(([member, target]) => [fileName(member), { member, target }]),
  );
  const partMembers = new Map(
    Object.entries(kind.parts ?? {}).map(([member, part]) => [fileName(member), { member, part }]),
  );
  const modelId = kind.parts && typeof file.model === 'string' ? await names.idOf('model', file.model) : undefined;
  const parts = modelId === undefined ? undefined : idsByName(await names.partsOf(modelId));

  const withIds = async (value: unknown, place: string): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map((each, index) => withIds(each, `${place}/${index}`)));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(async ([name, given]): Promise<[string, unknown]> => {
      const pointer = `${place}/${escapePointer(name)}`;
      const at = (index: number | undefined) => (index === undefined ? pointer : `${pointer}/${index}`);
      const [reference, part] = [targets.get(name), partMembers.get(name)];
      // A member of the same name may be no reference, such as the `source` of a dataset.
      if (reference && !isObject(given)) {
        const find = async (key: string, index?: number) => {
          const id = await names.idOf(reference.target, key);
          if (id === undefined) issues.push(unknownKey(at(index), reference.target, key));
          return id;
        };
        return [reference.member, await eachText(given, find)];
      }
      if (part && parts) {
        const known = parts[part.part];
        const find = async (text: string, index?: number) => {
          const id = known.get(text) ?? (UUID.test(text) ? text : undefined);
          if (id === undefined) issues.push(unknownPart(at(index), part.part, text, [...known.keys()]));
          return id;
        };
        return [part.member, await eachText(given, find)];
      }
      return [part?.member ?? name, await withIds(given, pointer)];
    });
    return Object.fromEntries(await Promise.all(entries));
  };
  const given = (await withIds(file, '')) as Members;
  const defaults = Object.entries(kind.members.properties).flatMap(([name, schema]) =>
    'default' in schema ? [[name, schema.default]] : [],
  );
  const whole = { ...Object.fromEntries(defaults), ...given };
  if (!kind.symbols) return { members: whole, issues };
  const found = await withIdsOfSymbols(whole, kind.symbols, names);
  return { members: found.members, issues: [...issues, ...found.issues] };
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
