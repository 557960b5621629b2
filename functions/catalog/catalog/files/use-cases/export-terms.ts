import {
  type ExportedTerm,
  readRelations,
  readTerms,
  type StoredRelation,
  type TermRecord,
  writeTerms,
} from '../../../../../shared/domains/catalog/terms/index.ts';
import type { DownloadLinks } from '../../../../../shared/domains/semantics/queries/index.ts';
import { Content, ContentElsewhere } from '../../../../../shared/platform/http/content.ts';
import type { ObjectStore } from '../../../../../shared/platform/objects/object-store.ts';
import type { Table } from '../../../../../shared/platform/storage/table.ts';
import { showTerms, type TermDeps } from '../../terms/use-cases/context.ts';

const CSV = 'text/csv';
const FILE_NAME = 'glossary.csv';
/** Larger replies would exceed what a function may return. */
const MAX_INLINE_BYTES = 4 * 1024 * 1024;

export type ExportDeps = Pick<TermDeps, 'terms' | 'members'> & {
  table: Table;
  links: DownloadLinks;
  objects: Pick<ObjectStore, 'write'>;
};

/** All terms of the workspace: the file itself, or a link to it if the caller prefers one or the file is large. */
export async function exportTerms(
  deps: ExportDeps,
  { workspaceId, exportId, accepted }: { workspaceId: string; exportId: string; accepted: string },
): Promise<Content | ContentElsewhere> {
  const stored = await readTerms(deps, workspaceId);
  const [shown, relations] = await Promise.all([showTerms(deps, stored), readRelations(deps.table, workspaceId)]);
  const related = namesOf(stored, relations);
  const rows = shown
    .map((term): ExportedTerm => ({ ...term, ...related(term.id) }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1));
  const content = Buffer.from(writeTerms(rows));
  if (accepted === CSV && content.length <= MAX_INLINE_BYTES) return new Content(content, { fileName: FILE_NAME });
  const key = `results/${workspaceId}/exports/${exportId}`;
  await deps.objects.write(key, content, CSV);
  const link = await deps.links.sign(key, FILE_NAME);
  return new ContentElsewhere({ ...link, bytes: content.length, contentType: CSV });
}

/** The names of the related terms by relation, sorted. */
function namesOf(terms: readonly TermRecord[], relations: readonly StoredRelation[]) {
  const names = new Map(terms.map(({ id, name }) => [id, name]));
  const found = new Map<string, string[]>();
  const key = ({ id, relation }: Pick<StoredRelation, 'id' | 'relation'>) => `${relation} ${id}`;
  for (const each of relations) {
    const name = names.get(each.otherId);
    if (name !== undefined) found.set(key(each), [...(found.get(key(each)) ?? []), name]);
  }
  const of = (id: string, relation: StoredRelation['relation']) =>
    (found.get(key({ id, relation })) ?? []).sort((a, b) => a.localeCompare(b, 'en'));
  return (id: string) => ({
    broader: of(id, 'broader'),
    related: of(id, 'related'),
    replacedBy: of(id, 'replacedBy'),
  });
}
