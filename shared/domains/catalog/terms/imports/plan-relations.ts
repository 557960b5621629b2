import type { Issue } from '../../../../platform/errors/app-error.ts';
import { isProtected } from '../records.ts';
import { MAX_DEPTH } from '../relations.ts';
import { MAX_RELATIONS } from '../uses.ts';
import { COLUMN_RELATIONS, type ColumnRelation } from './csv.ts';
import { findDepths } from './find-depths.ts';
import { foldName, type Glossary, type ImportAuthor, type ImportPlan, type PlannedTerm } from './import-plan.ts';
import { type ImportedTerm, rowIssue } from './read-import.ts';
import type { StoredRelation } from './stored-relations.ts';

type Changes = ImportPlan['relations'] & {
  /** The columns with changes, by the term of the row. */
  changedOf: ReadonlyMap<string, readonly ColumnRelation[]>;
};
type Placed = StoredRelation & { row: ImportedTerm };

/** The changes of the cells with relations. A row without the column keeps its relations. Adds to `issues`. */
export function planRelations(
  planned: readonly PlannedTerm[],
  glossary: Glossary,
  author: ImportAuthor,
  issues: Issue[],
): Changes {
  const idOf = names(planned, glossary);
  const stored = storedOf(glossary.relations);
  const columns = COLUMN_RELATIONS.map((relation) => {
    const cells = readCells(relation, planned, idOf, issues);
    const wanted = relation === 'related' ? withInverse(cells) : cells;
    return planColumn({ relation, cells, wanted, stored: stored(relation) }, planned, author, issues);
  });
  const added = columns.flatMap((column) => column.added);
  const removed = columns.flatMap((column) => column.removed);
  issues.push(...fullTerms(glossary.relations, added, removed));
  for (const relation of ['broader', 'replacedBy'] as const)
    issues.push(...pathIssues(relation, glossary.relations, added, removed));
  const bare = ({ id, relation, otherId }: Placed): StoredRelation => ({ id, relation, otherId });
  const changedOf = new Map<string, ColumnRelation[]>();
  for (const { relation, changed } of columns)
    for (const id of changed) changedOf.set(id, [...(changedOf.get(id) ?? []), relation]);
  return { added: added.map(bare), removed: removed.map(bare), changedOf };
}

interface Column {
  relation: ColumnRelation;
  /** The terms of each cell, by the term of its row. */
  cells: ReadonlyMap<string, ReadonlySet<string>>;
  /** The same together with what the rows of other terms decide. */
  wanted: ReadonlyMap<string, ReadonlySet<string>>;
  stored(id: string): ReadonlySet<string>;
}

function planColumn(
  { relation, cells, wanted, stored }: Column,
  planned: readonly PlannedTerm[],
  author: ImportAuthor,
  issues: Issue[],
) {
  const found = { relation, added: [] as Placed[], removed: [] as Placed[], changed: [] as string[] };
  for (const term of planned) {
    const { id } = term.after;
    const was = stored(id);
    const is = wanted.get(id) ?? was;
    const changes = [...new Set([...was, ...is])].filter((otherId) => is.has(otherId) !== was.has(otherId));
    if (changes.length === 0) continue;
    found.changed.push(id);
    const isOwnChange = changes.some((otherId) => cells.get(id)!.has(otherId) !== was.has(otherId));
    if (isOwnChange && !mayRelate(author, term))
      issues.push(rowIssue(term.row, relation, 'TERM_REVIEWERS_ONLY', 'is for admins and the reviewers of the term'));
    // Both ends of a `related` one have changed if both rows have the column.
    const once = changes.filter((otherId) => relation !== 'related' || !cells.has(otherId) || otherId > id);
    for (const otherId of once)
      (was.has(otherId) ? found.removed : found.added).push({ row: term.row, id, relation, otherId });
  }
  return found;
}

const mayRelate = (author: ImportAuthor, { before }: PlannedTerm): boolean =>
  !before || !isProtected(before) || author.reviews(before);

/** Of two rows with the column, one suffices to relate their terms. */
function withInverse(cells: ReadonlyMap<string, ReadonlySet<string>>): Map<string, Set<string>> {
  const wanted = new Map([...cells].map(([id, ids]) => [id, new Set(ids)]));
  for (const [id, ids] of cells) for (const otherId of ids) wanted.get(otherId)?.add(id);
  return wanted;
}

/** Finds a term by the name that it has after the import, or by its id. */
function names(planned: readonly PlannedTerm[], { terms }: Glossary): (text: string) => string | undefined {
  const all = new Map([...terms, ...planned.map(({ after }) => after)].map((term) => [term.id, term]));
  const byName = new Map([...all.values()].map(({ id, name }) => [foldName(name), id]));
  return (text) => byName.get(foldName(text.trim())) ?? (all.has(text.trim()) ? text.trim() : undefined);
}

function storedOf(relations: readonly StoredRelation[]) {
  const found = new Map<string, Set<string>>();
  const none: ReadonlySet<string> = new Set();
  for (const { id, relation, otherId } of relations) {
    const key = `${relation} ${id}`;
    const others = found.get(key);
    if (others) others.add(otherId);
    else found.set(key, new Set([otherId]));
  }
  return (relation: ColumnRelation) => (id: string) => found.get(`${relation} ${id}`) ?? none;
}

function readCells(
  relation: ColumnRelation,
  planned: readonly PlannedTerm[],
  idOf: (text: string) => string | undefined,
  issues: Issue[],
): Map<string, Set<string>> {
  const cells = new Map<string, Set<string>>();
  for (const { row, after } of planned) {
    const texts = row.relations[relation];
    if (!texts) continue;
    const ids = new Set<string>();
    for (const text of texts) {
      const otherId = idOf(text);
      if (otherId === undefined)
        issues.push(rowIssue(row, relation, 'TERM_NOT_FOUND', `names "${text}", which is not the name of a term`));
      else if (otherId === after.id) issues.push(rowIssue(row, relation, 'TERM_CYCLE', 'relates the term to itself'));
      else ids.add(otherId);
    }
    cells.set(after.id, ids);
  }
  return cells;
}

function fullTerms(
  stored: readonly StoredRelation[],
  added: readonly Placed[],
  removed: readonly StoredRelation[],
): Issue[] {
  const numbers = new Map<string, number>();
  const count = (id: string, by: number) => numbers.set(id, (numbers.get(id) ?? 0) + by);
  // A stored `related` is there from both ends.
  for (const { id, relation, otherId } of stored) {
    count(id, 1);
    if (relation !== 'related') count(otherId, 1);
  }
  for (const [changes, by] of [[added, 1] as const, [removed, -1] as const])
    for (const { id, otherId } of changes) for (const end of [id, otherId]) count(end, by);
  return added.flatMap(({ row, id, relation, otherId }) =>
    [id, otherId].some((end) => numbers.get(end)! > MAX_RELATIONS)
      ? [rowIssue(row, relation, 'TERM_FULL', `gives a term more than ${MAX_RELATIONS} relations`)]
      : [],
  );
}

function pathIssues(
  relation: ColumnRelation,
  stored: readonly StoredRelation[],
  added: readonly Placed[],
  removed: readonly StoredRelation[],
): Issue[] {
  const ofKind = <R extends StoredRelation>(relations: readonly R[]) =>
    relations.filter((each) => each.relation === relation);
  const fresh = ofKind(added);
  if (fresh.length === 0) return [];
  const nameOf = ({ id, otherId }: StoredRelation) => `${id} ${otherId}`;
  const gone = new Set(ofKind(removed).map(nameOf));
  const edges = [...ofKind(stored).filter((each) => !gone.has(nameOf(each))), ...fresh];
  const { isOnCycle, longestThrough } = findDepths(edges.map(({ id, otherId }) => [id, otherId]));
  return fresh.flatMap(({ row, id, otherId }) => {
    if (isOnCycle(id, otherId))
      return [rowIssue(row, relation, 'TERM_CYCLE', 'has a relation that leads back to the term itself')];
    if (longestThrough(id, otherId) <= MAX_DEPTH) return [];
    const message = `is part of a path of more than ${MAX_DEPTH} relations`;
    return [rowIssue(row, relation, 'TERM_TOO_DEEP', message)];
  });
}
