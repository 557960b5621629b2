import type { Issue } from '../../../../platform/errors/app-error.ts';
import { placedIssues, type YamlFile } from '../../../../platform/validation/yaml-file.ts';
import { folded } from '../definition/definition.ts';
import type { FileField, FileTable, ModelFile, PartialModelFile } from './schema.ts';

type Document = YamlFile<PartialModelFile>;
type PositionOf = Document['positionOf'];
/** Where a part of the merged file comes from. */
interface Place {
  positionOf: PositionOf;
  pointer: string;
}
interface Placed<T> {
  part: T;
  place: Place;
}

const SINGLE = ['name', 'description', 'calendar', 'extends'] as const;
const LISTS = ['parameters', 'relationships', 'hierarchies', 'measures', 'rollups', 'policies'] as const;
type PartialTable = NonNullable<PartialModelFile['tables']>[number];
type List = (typeof LISTS)[number];
type Part<K extends List> = NonNullable<ModelFile[K]>[number];
const OF_TABLE = ['sourceSchema', 'sourceTable', 'description', 'transforms'] as const;

/**
 * One file of several documents and of the model that they extend. Lists follow each other, and tables of the same
 * alias become one. A part replaces that of the same name in the extended model; two documents must not both have it,
 * which is for the import to reject. Throws `VALIDATION_FAILED` with the line and column of each issue.
 */
export function mergeFiles(documents: readonly Document[], base: ModelFile | undefined): YamlFile<ModelFile> {
  const places = new Map<string, Place>();
  const conflicts = SINGLE.flatMap((member) => repeated(documents, member));
  failAt(conflicts);
  const extending = documents.find(({ file }) => file.extends !== undefined);
  const inherited: Place | undefined = extending && { positionOf: extending.positionOf, pointer: '/extends' };
  const single = Object.assign(
    {},
    ...documents.map(({ file }) => membersOf(file, ['name', 'description', 'calendar'])),
  );
  const file: ModelFile = {
    ...(base && membersOf(base, ['description', 'calendar'])),
    ...single,
    version: 1,
    tables: mergedTables(documents, base, { places, inherited }),
    ...Object.fromEntries(
      LISTS.flatMap((kind): [string, unknown][] => mergedList(documents, base, { kind, places, inherited })),
    ),
  };
  for (const member of SINGLE) {
    const found = documents.find((each) => each.file[member] !== undefined);
    if (found) places.set(`/${member}`, { positionOf: found.positionOf, pointer: `/${member}` });
  }
  return { file, positionOf: positionsIn(places, documents[0]!.positionOf) };
}

function repeated(documents: readonly Document[], member: keyof PartialModelFile): Placed<Issue>[] {
  const pointer = `/${member}`;
  const message = 'is already in an earlier document';
  return documents
    .filter(({ file }) => file[member] !== undefined)
    .slice(1)
    .map(({ positionOf }) => ({ part: { pointer, code: 'CONFLICT', message }, place: { positionOf, pointer } }));
}

/** Pointers are those within the document that has the issue. */
function failAt(issues: readonly Placed<Issue>[]): void {
  if (issues.length === 0) return;
  throw placedIssues(
    issues.map(({ part, place }) => ({ ...part, pointer: place.pointer, position: place.positionOf(place.pointer) })),
  );
}

interface Merging {
  places: Map<string, Place>;
  inherited: Place | undefined;
}

function mergedList<K extends List>(
  documents: readonly Document[],
  base: ModelFile | undefined,
  { kind, places, inherited }: Merging & { kind: K },
): [K, Part<K>[]][] {
  const has = documents.some(({ file }) => file[kind] !== undefined) || base?.[kind] !== undefined;
  if (!has) return [];
  const own = documents.flatMap(({ file, positionOf }) =>
    ((file[kind] ?? []) as Part<K>[]).map((part, index) => ({
      part,
      place: { positionOf, pointer: `/${kind}/${index}` },
    })),
  );
  const replaced = new Set(own.map(({ part }) => keyOf(part)));
  const kept = ((base?.[kind] ?? []) as Part<K>[]).filter((part) => !replaced.has(keyOf(part)));
  const all = [...kept.map((part) => ({ part, place: inherited! })), ...own];
  all.forEach(({ place }, index) => {
    places.set(`/${kind}/${index}`, place);
  });
  return [[kind, all.map(({ part }) => part)]];
}

/** What makes a part the same one as in the extended model. */
const keyOf = (part: Part<List>): string =>
  'from' in part ? [folded(part.from), folded(part.to)].sort().join('\n') : folded(part.name);

interface MergedTable {
  alias: Placed<string>;
  members: Map<(typeof OF_TABLE)[number], Placed<unknown>>;
  fields: Placed<FileField>[];
}

function mergedTables(
  documents: readonly Document[],
  base: ModelFile | undefined,
  { places, inherited }: Merging,
): FileTable[] {
  const tables = new Map<string, MergedTable>();
  const issues: Placed<Issue>[] = [];
  const add = (key: string, table: PartialTable, at: (below: string) => Place) => {
    const merged = tables.get(key) ?? { alias: { part: table.alias, place: at('') }, members: new Map(), fields: [] };
    tables.set(key, merged);
    for (const member of OF_TABLE) {
      if (table[member] === undefined) continue;
      const known = merged.members.get(member);
      const place = at(`/${member}`);
      if (known && known.place !== inherited)
        issues.push({ part: { pointer: '', code: 'CONFLICT', message: 'is already in another document' }, place });
      merged.members.set(member, { part: table[member], place });
    }
    const names = new Set(table.fields?.map(({ name }) => folded(name)));
    const isReplaced = ({ part, place }: Placed<FileField>) => place === inherited && names.has(folded(part.name));
    const own = (table.fields ?? []).map((part, index) => ({ part, place: at(`/fields/${index}`) }));
    merged.fields = [...merged.fields.filter((each) => !isReplaced(each)), ...own];
  };
  for (const table of base?.tables ?? []) add(folded(table.alias), table, () => inherited!);
  for (const { file, positionOf } of documents) {
    const own = new Set<string>();
    (file.tables ?? []).forEach((table, index) => {
      const alias = folded(table.alias);
      // A document that has a table twice is for the import to reject.
      const key = own.has(alias) ? `${alias}\n${index}` : alias;
      own.add(alias);
      add(key, table, (below) => ({ positionOf, pointer: `/tables/${index}${below}` }));
    });
  }
  const file = [...tables.values()].map(({ alias, members, fields }, index): FileTable => {
    const pointer = `/tables/${index}`;
    places.set(pointer, alias.place);
    for (const [member, { place }] of members) places.set(`${pointer}/${member}`, place);
    fields.forEach(({ place }, field) => {
      places.set(`${pointer}/fields/${field}`, place);
    });
    if (!members.has('sourceTable'))
      issues.push({
        part: { pointer: '', code: 'REQUIRED', message: 'needs a `sourceTable` in one of the documents' },
        place: alias.place,
      });
    const found = Object.fromEntries([...members].map(([member, { part }]) => [member, part]));
    return { alias: alias.part, sourceTable: '', ...found, fields: fields.map(({ part }) => part) };
  });
  failAt(issues);
  return file;
}

const membersOf = <T extends object, K extends keyof T>(from: T, members: readonly K[]): Partial<Pick<T, K>> =>
  Object.fromEntries(
    members.flatMap((member) => (from[member] === undefined ? [] : [[member, from[member]]])),
  ) as Partial<Pick<T, K>>;

/** The place of the nearest part around a pointer that is known. */
function positionsIn(places: ReadonlyMap<string, Place>, otherwise: PositionOf): PositionOf {
  return (pointer) => {
    for (let known = pointer; known !== ''; known = known.slice(0, known.lastIndexOf('/'))) {
      const place = places.get(known);
      if (place)
        return place.positionOf(`${place.pointer}${place.pointer === '/extends' ? '' : pointer.slice(known.length)}`);
    }
    return otherwise(pointer);
  };
}
