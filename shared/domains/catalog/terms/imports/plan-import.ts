import * as Type from 'typebox';
import type { Issue } from '../../../../platform/errors/app-error.ts';
import { later } from '../../../../platform/storage/ids.ts';
import { hasShape, shapeIssues } from '../../../../platform/validation/shape-issues.ts';
import {
  changedContent,
  foldTags,
  isProtected,
  membershipsOf,
  type TermContent,
  type TermProposal,
  type TermRecord,
  termMembers,
} from '../records.ts';
import { foldName, type Glossary, type ImportAuthor, type ImportPlan, type PlannedTerm } from './import-plan.ts';
import { planRelations } from './plan-relations.ts';
import { type ImportedTerm, invalid, rowIssue } from './read-import.ts';

const Content = Type.Object(termMembers);
const DEFAULTS = {
  ...{ abbreviation: null, synonyms: [], hiddenSynonyms: [], examples: null, tags: [], exactMatch: [] },
  ...{ ownerIds: [], reviewerIds: [], status: 'draft' as const },
};
const REVIEWERS_ONLY = 'is for admins and the reviewers of the term; ask one of them';

/** The terms that the rows name, by row; undefined for those that are new. */
export function namedTerms(
  rows: readonly ImportedTerm[],
  terms: readonly TermRecord[],
): ReadonlyMap<ImportedTerm, TermRecord | undefined> {
  const byId = new Map(terms.map((term) => [term.id, term]));
  const byName = new Map(terms.map((term) => [foldName(term.name), term]));
  const named = ({ id, content }: ImportedTerm) =>
    id === undefined ? byName.get(foldName(content.name ?? '')) : byId.get(id);
  return new Map(rows.map((row) => [row, named(row)]));
}

/** What the rows would change. Throws `VALIDATION_FAILED` with the line and column of each issue. */
export function planImport(
  rows: readonly ImportedTerm[],
  glossary: Glossary,
  author: ImportAuthor,
  { now, newId }: { now: Date; newId(): string },
): ImportPlan {
  const issues: Issue[] = [];
  const named = namedTerms(rows, glossary.terms);
  const context = { glossary, author, now, newId, issues };
  const planned = firstRows(rows, named, issues).flatMap((row) => planTerm(context, row, named.get(row)) ?? []);
  issues.push(...takenNames(glossary.terms, planned));
  if (issues.length > 0) throw inOrder(issues);
  const relations = planRelations(planned, glossary, author, issues);
  if (issues.length > 0) throw inOrder(issues);
  const terms = planned.map((term) => ({
    ...term,
    members: [...term.members, ...(relations.changedOf.get(term.after.id) ?? [])],
  }));
  return { terms, relations };
}

const inOrder = (issues: readonly Issue[]) =>
  invalid([...issues].sort((a, b) => (a.position?.offset ?? 0) - (b.position?.offset ?? 0)));

interface Context {
  glossary: Glossary;
  author: ImportAuthor;
  now: Date;
  newId(): string;
  issues: Issue[];
}

/** Undefined if the row has an issue. */
function planTerm(context: Context, row: ImportedTerm, before: TermRecord | undefined): PlannedTerm | undefined {
  const { glossary, issues } = context;
  if (row.id !== undefined && !before) {
    issues.push(rowIssue(row, 'id', 'TERM_NOT_FOUND', 'is not the id of a term; leave it empty to create a term'));
    return undefined;
  }
  const { tags, status, ...rest } = row.content;
  const wanted: Partial<TermContent> = {
    ...rest,
    ...(tags && { tags: foldTags(tags) }),
    // A new term may leave its status empty.
    ...(status !== undefined && (before || status !== null) && { status }),
  };
  const shown = before && glossary.shown.get(before.id)!;
  const changes = shown ? changedContent(shown, wanted) : wanted;
  const content = { ...DEFAULTS, ...(before ?? {}), ...changes } as TermContent;
  const found = contentIssues(row, content, Object.keys(shown ? changes : content), glossary.members);
  if (found.length > 0) {
    issues.push(...found);
    return undefined;
  }
  return before ? changeTerm(context, row, before, changes) : createTerm(context, row, content);
}

function contentIssues(
  row: ImportedTerm,
  content: TermContent,
  changed: readonly string[],
  members: ReadonlyMap<string, unknown>,
): Issue[] {
  const issues: Issue[] = [];
  for (const member of ['name', 'definition'] as const)
    if (typeof content[member] !== 'string') issues.push(rowIssue(row, member, 'REQUIRED', `needs a ${member}`));
  if (issues.length > 0) return issues;
  if (!hasShape(Content, content))
    for (const { pointer, code, message } of shapeIssues(Content, content, ''))
      issues.push(rowIssue(row, pointer.split('/')[1]!, code, message));
  for (const member of ['ownerIds', 'reviewerIds'] as const)
    for (const userId of changed.includes(member) ? content[member] : [])
      if (!members.has(userId))
        issues.push(rowIssue(row, member, 'NOT_A_MEMBER', `names ${userId}, who is not a member of the workspace`));
  return issues;
}

function createTerm({ author, now, newId, glossary, issues }: Context, row: ImportedTerm, content: TermContent) {
  const { workspaceId, userId } = author;
  if (!author.mayApprove && isProtected(content))
    issues.push(rowIssue(row, 'status', 'TERM_REVIEWERS_ONLY', 'is for admins; create a draft'));
  if (!author.mayApprove && content.reviewerIds.includes(userId))
    issues.push(rowIssue(row, 'reviewerIds', 'TERM_REVIEWERS_ONLY', 'names you, which only admins may do'));
  const at = now.toISOString();
  const stamps = { createdBy: userId, updatedBy: userId, createdAt: at, updatedAt: at, revision: 1 };
  const reviewerMemberships = membershipsOf(glossary.members, content.reviewerIds);
  const after = { id: newId(), workspaceId, ...content, reviewerMemberships, ...stamps };
  return { row, before: undefined, after, members: Object.keys(row.content) as (keyof TermContent)[] };
}

/** Changes by people who may not make them are proposed, as when they change a single term. */
function changeTerm(
  { author, now, newId, glossary, issues }: Context,
  row: ImportedTerm,
  before: TermRecord,
  changes: Partial<TermContent>,
): PlannedTerm {
  const members = Object.keys(changes) as (keyof TermContent)[];
  if (members.length === 0) return { row, before, after: before, members };
  const mayApprove = author.reviews(before);
  if (!mayApprove && 'reviewerIds' in changes)
    issues.push(rowIssue(row, 'reviewerIds', 'TERM_REVIEWERS_ONLY', REVIEWERS_ONLY));
  if (!mayApprove && isProtected(before)) {
    const proposal: TermProposal = {
      id: newId(),
      workspaceId: author.workspaceId,
      termId: before.id,
      proposedBy: author.userId,
      changes,
      before: Object.fromEntries(members.map((member) => [member, before[member]])),
      ...{ state: 'open', reason: null, decidedBy: null, decidedAt: null },
      createdAt: now.toISOString(),
    };
    return { row, before, after: before, members, proposal };
  }
  const after: TermRecord = {
    ...before,
    ...changes,
    ...(changes.reviewerIds && { reviewerMemberships: membershipsOf(glossary.members, changes.reviewerIds) }),
    updatedBy: author.userId,
    updatedAt: later(before.updatedAt, now),
  };
  if (!mayApprove && isProtected(after)) issues.push(rowIssue(row, 'status', 'TERM_REVIEWERS_ONLY', REVIEWERS_ONLY));
  return { row, before, after, members };
}

/** The first row of each term. Adds the others to `issues`. */
function firstRows(
  rows: readonly ImportedTerm[],
  named: ReadonlyMap<ImportedTerm, TermRecord | undefined>,
  issues: Issue[],
): ImportedTerm[] {
  const seen = new Map<string, ImportedTerm>();
  return rows.filter((row) => {
    const key = named.get(row)?.id ?? row.id ?? foldName(row.content.name ?? '');
    const first = seen.get(key);
    // Rows without a name have an issue of their own.
    if (!first || key === '') return seen.set(key, row);
    issues.push(rowIssue(row, 'name', 'REPEATED', `names the term of line ${first.line} again`));
    return false;
  });
}

function takenNames(terms: readonly TermRecord[], planned: readonly PlannedTerm[]): Issue[] {
  const changed = new Map(planned.flatMap(({ before, after }) => (before ? [[before.id, after] as const] : [])));
  const owners = new Map<string, string>();
  for (const term of terms) {
    const after = changed.get(term.id) ?? term;
    if (foldName(after.name) === foldName(term.name)) owners.set(foldName(term.name), term.id);
  }
  return planned.flatMap(({ row, before, after }) => {
    const name = foldName(after.name);
    const owner = owners.get(name) ?? after.id;
    owners.set(name, owner);
    if (owner === after.id || after === before) return [];
    return [rowIssue(row, 'name', 'TERM_NAME_TAKEN', 'is the name of another term; case does not matter')];
  });
}
