import { canonical, digestOf, type ObjectKind } from '../../../../shared/domains/catalog/definitions/index.ts';
import type { Issue } from '../../../../shared/platform/errors/app-error.ts';
import { escapePointer } from '../../../../shared/platform/validation/json-pointer.ts';
import { loadYaml } from '../../../../shared/platform/validation/load-yaml.ts';
import { suggestion } from '../../../../shared/platform/validation/names.ts';
import type { DefinitionKind, Members, PartKind } from '../kinds/kind.ts';
import { fileName } from './file-names.ts';
import { fileSchemaOf } from './file-schema.ts';

/** The content of a file in its only form, and its digest. */
export interface FileContent {
  file: Members;
  digest: string;
}

/** Finds keys and ids. */
export interface Names {
  /** The id itself for an object without a key. */
  keyOf(kind: ObjectKind, id: string): Promise<string>;
  /** Undefined for a key that no object has. */
  idOf(kind: ObjectKind, key: string): Promise<string | undefined>;
  /** The parts of a model, by kind. */
  partsOf(modelId: string): Promise<ModelParts>;
}

/** The names of parts by their ids. */
export type ModelParts = Readonly<Record<PartKind, ReadonlyMap<string, string>>>;

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
  const members = kind.show ? kind.show(object) : object;
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

/** All members that a file describes, with ids, and an issue for each key or name that leads to none. */
export async function membersOf(
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
      if (reference) {
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
  return { members: { ...Object.fromEntries(defaults), ...given }, issues };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const idsByName = (parts: ModelParts) =>
  Object.fromEntries(
    Object.entries(parts).map(([kind, names]) => [kind, new Map([...names].map(([id, name]) => [name, id]))]),
  ) as Record<PartKind, Map<string, string>>;

const unknownKey = (pointer: string, target: ObjectKind, key: string): Issue => ({
  pointer,
  code: 'UNKNOWN_KEY',
  message: `names no ${target}: there is none with the key ${JSON.stringify(key.slice(0, 64))} that you can see`,
});

const unknownPart = (pointer: string, part: PartKind, name: string, known: readonly string[]): Issue => ({
  pointer,
  code: 'UNKNOWN_PART',
  message: `names no ${part} of the model${suggestion(name, known)}`,
});
