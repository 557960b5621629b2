import { canonical, digestOf, type ObjectKind } from '../../../../shared/domains/catalog/definitions/index.ts';
import type { Issue } from '../../../../shared/platform/errors/app-error.ts';
import { escapePointer } from '../../../../shared/platform/validation/json-pointer.ts';
import { loadYaml } from '../../../../shared/platform/validation/load-yaml.ts';
import type { DefinitionKind } from '../kinds/kind.ts';
import { fileName } from './file-names.ts';
import { fileSchemaOf } from './file-schema.ts';

type Members = Record<string, unknown>;

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

/** Finds the keys of ids. */
export type KeyOf = (kind: ObjectKind, id: string) => Promise<string>;

/** Finds the ids of keys; undefined for a key that no object has. */
export type IdOf = (kind: ObjectKind, key: string) => Promise<string | undefined>;

/** What a file says about an object that an operation has returned. */
export async function fileOf(kind: DefinitionKind, object: Members, keyOf: KeyOf): Promise<FileContent> {
  const members = Object.fromEntries(
    Object.keys(kind.members.properties).flatMap((name) => (name in object ? [[name, object[name]]] : [])),
  );
  return contentOf(kind, (await withKeys(kind, members, keyOf)) as Members);
}

async function withKeys(kind: DefinitionKind, value: unknown, keyOf: KeyOf): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((each) => withKeys(kind, each, keyOf)));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(async ([name, member]): Promise<[string, unknown]> => {
    const target = kind.references[name];
    if (!target) return [name, await withKeys(kind, member, keyOf)];
    return [fileName(name), await eachText(member, (id) => keyOf(target, id))];
  });
  return Object.fromEntries(await Promise.all(members));
}

/** A text, the texts of a list, or null. */
const eachText = async (value: unknown, change: (text: string, index?: number) => Promise<unknown>) =>
  Array.isArray(value)
    ? Promise.all(value.map((each, index) => change(each as string, index)))
    : typeof value === 'string'
      ? change(value)
      : value;

/**
 * The whole object that a file describes, as the operations take it, and an issue for each key that no object has.
 */
export async function bodyOf(
  kind: DefinitionKind,
  file: Members,
  idOf: IdOf,
): Promise<{ body: Members; issues: Issue[] }> {
  const issues: Issue[] = [];
  const names = new Map(
    Object.entries(kind.references).map(([member, target]) => [fileName(member), { member, target }]),
  );
  const withIds = async (value: unknown, place: string): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map((each, index) => withIds(each, `${place}/${index}`)));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(async ([name, member]): Promise<[string, unknown]> => {
      const pointer = `${place}/${escapePointer(name)}`;
      const reference = names.get(name);
      if (!reference) return [name, await withIds(member, pointer)];
      const { member: idMember, target } = reference;
      return [
        idMember,
        await eachText(member, async (key, index) => {
          const id = await idOf(target, key);
          if (id === undefined)
            issues.push(unknownKey(index === undefined ? pointer : `${pointer}/${index}`, target, key));
          return id;
        }),
      ];
    });
    return Object.fromEntries(await Promise.all(members));
  };
  const given = (await withIds(file, '')) as Members;
  const defaults = Object.entries(kind.members.properties).flatMap(([name, schema]) =>
    'default' in schema ? [[name, schema.default]] : [],
  );
  return { body: { ...Object.fromEntries(defaults), ...given }, issues };
}

const unknownKey = (pointer: string, target: ObjectKind, key: string): Issue => ({
  pointer,
  code: 'UNKNOWN_KEY',
  message: `names no ${target}: there is none with the key ${JSON.stringify(key.slice(0, 64))} that you can see`,
});
