import type { DefinitionRecord, ObjectKind } from '../../../../shared/domains/catalog/definitions/index.ts';
import { inParallel } from '../../../../shared/platform/concurrency/in-parallel.ts';
import { KIND_NAMES, kindOf } from '../kinds/index.ts';
import type { DefinitionKind } from '../kinds/kind.ts';
import type { DefinitionEntry } from '../schemas.ts';
import type { ApiObject, Context } from './context.ts';
import { type KeyBook, keyBook } from './key-book.ts';
import { readContent, readObject, withVariables } from './objects.ts';

const READ_AT_ONCE = 8;

interface Request {
  kind?: ObjectKind | undefined;
  project?: string | undefined;
  limit: number;
  offset: number;
}

/** The objects that can be files, by kind and key. */
export async function listDefinitions(context: Context, { kind, project, limit, offset }: Request) {
  const book = keyBook(context);
  const lists = await Promise.all((kind ? [kind] : KIND_NAMES).map((each) => entriesOf(book, each)));
  const found = lists.flat().filter(({ managedBy }) => project === undefined || managedBy?.project === project);
  const items = found.slice(offset, offset + limit);
  const changed = items.filter(({ applied, digest }) => applied !== null && digest === null);
  await inParallel(READ_AT_ONCE, changed, async (entry) => {
    const definition = kindOf(entry.kind);
    const { listed, records } = await book.all(entry.kind);
    const { id, key } = entry;
    const object = definition.isWholeInLists ? listed.get(id) : await readObject(context, entry.kind, id);
    if (!object) return;
    const shown = withVariables(definition, { object, record: records.get(id) }, key);
    entry.digest = (await readContent(context, definition, shown, book)).digest;
  });
  return { items, total: found.length, limit, offset };
}

async function entriesOf(book: KeyBook, kind: ObjectKind): Promise<DefinitionEntry[]> {
  const { listed, records, keys } = await book.all(kind);
  const followed = [...records.values()].flatMap(({ follows = {} }) => Object.keys(follows));
  const flowlets = followed.length > 0 ? (await book.all('flowlet')).listed : undefined;
  const entries = [...listed.values()].map(({ id, name, revision }): DefinitionEntry => {
    const record = records.get(id);
    const applied = record?.applied ?? null;
    return {
      kind,
      key: keys.get(id)!,
      id,
      name,
      revision,
      // An object that has the revision of the deployment has its content too, unless it should use newer flowlets.
      digest:
        applied?.revision === revision && isInOnePlace(kindOf(kind)) && followsNewest(record, flowlets)
          ? applied.digest
          : null,
      managedBy: record?.managedBy ?? null,
      applied,
    };
  });
  return entries.sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Whether the flowlets of which a file names no version are still at the version that was deployed. */
const followsNewest = (record: DefinitionRecord | undefined, flowlets: ReadonlyMap<string, ApiObject> | undefined) =>
  Object.entries(record?.follows ?? {}).every(([seriesId, id]) => flowlets?.get(seriesId)?.newestId === id);

/** Whether the revision of the object counts all changes of its content. */
const isInOnePlace = ({ content, beside }: DefinitionKind): boolean => !content && !beside;
