import {
  abandonImport,
  assertNoImport,
  beginImport,
  continueImport,
  decideImport,
  type Glossary,
  type ImportPlan,
  importItems,
  namedTerms,
  planImport,
  readImport,
  readRelations,
  readTerms,
  termRepository,
  writeImport,
} from '../../../../../shared/domains/catalog/terms/index.ts';
import { isPermitted } from '../../../../../shared/platform/auth/permissions.ts';
import type { Principal } from '../../../../../shared/platform/auth/principal.ts';
import { withBatchedReads } from '../../../../../shared/platform/storage/batched-reads.ts';
import { newId } from '../../../../../shared/platform/storage/ids.ts';
import type { Table, TransactItem } from '../../../../../shared/platform/storage/table.ts';
import { isReviewer, showTerms, type TermDeps } from '../../terms/use-cases/context.ts';
import { MAX_LISTED_CHANGES, type TermImport } from '../schemas.ts';

/** The request ends before its function does; the worker writes the rest. */
const MAX_MS = 22_000;

export type ImportDeps = Pick<TermDeps, 'terms' | 'proposals' | 'members' | 'now'> & { table: Table };
type Rows = ReturnType<typeof readImport>;
interface Command {
  principal: Principal;
  importId: string;
  csv: string;
  dryRun: boolean;
}

/** Throws `TERM_IMPORT_RUNNING`, and `VALIDATION_FAILED` with the line and column of each issue. */
export async function importTerms(deps: ImportDeps, command: Command): Promise<TermImport> {
  const { principal, importId, csv, dryRun } = command;
  const { workspaceId } = principal;
  const until = performance.now() + MAX_MS;
  const rows = readImport(csv);
  if (dryRun) {
    await assertNoImport(deps.table, workspaceId);
    return report(await plan(deps, principal, rows), { dryRun, finished: true });
  }
  const running = { workspaceId, importId };
  await beginImport(deps.table, running);
  let planned: ImportPlan;
  let items: TransactItem[];
  try {
    planned = await plan(deps, principal, rows);
    // What is stored beside each term, such as its certification, is read in batches.
    const terms = termRepository(withBatchedReads(deps.table));
    items = await importItems({ ...deps, terms }, workspaceId, planned);
    if (items.length > 0) await decideImport(deps.table, running, items);
    else await abandonImport(deps.table, running);
  } catch (error) {
    await abandonImport(deps.table, running);
    throw error;
  }
  const finished = items.length === 0 || (await writeImport(deps.table, running, () => performance.now() > until));
  if (!finished) await continueImport(deps.table, running);
  return report(planned, { dryRun, finished });
}

async function plan(deps: ImportDeps, principal: Principal, rows: Rows): Promise<ImportPlan> {
  const { workspaceId, userId } = principal;
  const terms = await readTerms(deps, workspaceId);
  const named = [...new Set(namedTerms(rows, terms).values())].flatMap((term) => term ?? []);
  const hasRelations = rows.some(({ relations }) => Object.keys(relations).length > 0);
  const people = new Set(
    rows.flatMap(({ content: { ownerIds = [], reviewerIds = [] } }) => [...ownerIds, ...reviewerIds]),
  );
  const [shown, relations, members] = await Promise.all([
    showTerms(deps, named),
    hasRelations ? readRelations(deps.table, workspaceId) : [],
    deps.members(workspaceId, [...people]),
  ]);
  const glossary: Glossary = { terms, relations, members, shown: new Map(shown.map((term) => [term.id, term])) };
  const author = {
    ...{ workspaceId, userId },
    mayApprove: isPermitted('catalog:approve', principal),
    reviews: isReviewer.bind(undefined, principal),
  };
  const now = deps.now();
  return withoutRepeatedProposals(deps, userId, planImport(rows, glossary, author, { now, newId: () => newId(now) }));
}

/** What the person has proposed already is not proposed again. */
async function withoutRepeatedProposals(deps: ImportDeps, userId: string, planned: ImportPlan): Promise<ImportPlan> {
  const proposing = planned.terms.flatMap(({ proposal, after }) => (proposal ? [after] : []));
  if (proposing.length === 0) return planned;
  const own = await deps.proposals.readOwn(proposing, userId);
  const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  const terms = planned.terms.map((term) => {
    const { proposal, ...rest } = term;
    const earlier = proposal && own.get(proposal.termId);
    const isRepeated =
      earlier?.state === 'open' &&
      isSame(earlier.changes, proposal!.changes) &&
      isSame(earlier.before, proposal!.before);
    return isRepeated ? { ...rest, members: [] } : term;
  });
  return { ...planned, terms };
}

function report({ terms }: ImportPlan, { dryRun, finished }: Pick<TermImport, 'dryRun' | 'finished'>): TermImport {
  const changes = terms.flatMap(({ row, before, after, members, proposal }): TermImport['changes'] => {
    if (members.length === 0) return [];
    const action = proposal ? 'proposed' : before ? 'updated' : 'created';
    const id = before || !dryRun ? after.id : null;
    return [{ line: row.line, id, name: after.name, action, members: [...members] }];
  });
  const count = (wanted: string) => changes.filter(({ action }) => action === wanted).length;
  return {
    dryRun,
    finished,
    total: terms.length,
    created: count('created'),
    updated: count('updated'),
    proposed: count('proposed'),
    unchanged: terms.length - changes.length,
    changes: changes.slice(0, MAX_LISTED_CHANGES),
  };
}
