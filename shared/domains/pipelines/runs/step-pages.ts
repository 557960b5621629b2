import type { Cursors } from '../../../platform/http/cursor.ts';
import { queryItems } from '../../../platform/storage/query-items.ts';
import { toRecord } from '../../../platform/storage/stored-record.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { dependenciesOf } from '../definition/index.ts';
import type {
  DagStore,
  RunWithSteps,
  StepRun,
  StepRunPage,
  StepStatus,
  StoredRun,
  StoredStep,
} from '../store/index.ts';
import { stepKey } from '../store/index.ts';
import type { Admission } from './admission.ts';
import { runTotals } from './end-run.ts';
import { statusOfState } from './step-events.ts';
import { toRun, toStepRun } from './views.ts';

/** A Lambda response may have 6 MB; the rest is for the run itself and the envelope. */
const MAX_REPLY_BYTES = 5.5 * 1024 * 1024;

/** The position before the first node. */
const BEFORE_ALL = -1;

interface Deps {
  cursors: Cursors;
  now(): Date;
}

/**
 * A run with its steps in order: all of them, or as many as fit into a reply (a run may have 10,000, each with gates,
 * messages and texts of the tenant), with a cursor for the rest.
 */
export async function viewRunWithSteps(
  deps: Deps & { dags: Pick<DagStore, 'getMany'> },
  stored: StoredRun,
  admission: Admission | undefined,
  nodes: readonly StoredStep[],
): Promise<RunWithSteps> {
  const dag = (await deps.dags.getMany(stored.workspaceId, [stored.dagHash])).get(stored.dagHash);
  const dependencies = Object.fromEntries(dag?.steps.map((step) => [step.id, [...dependenciesOf(step)]]) ?? []);
  const run = { ...toRun(stored, admission), ...runTotals(nodes), dependencies };
  const steps = nodes.filter((node) => node.kind === 'step');
  const page = new PageOfSteps(quotedBytes(run));
  for (const step of steps) if (!page.add(step)) break;
  const isWhole = page.steps.length === steps.length;
  return {
    ...run,
    steps: page.steps,
    stepsTotal: steps.length,
    stepsNextCursor: isWhole ? null : await cursorAfter(deps, stored, page.last),
  };
}

/** The steps of a run after `cursor`, all or those with one status. Throws the codes of `Cursors.open`. */
export async function listStepRuns(
  deps: Deps & { table: Table },
  run: StoredRun,
  query: { limit: number; cursor?: string; status?: StepStatus },
): Promise<StepRunPage> {
  const { limit, cursor, status } = query;
  const place = cursor ? await deps.cursors.open(cursor, scopeOf(run, status), deps.now()) : undefined;
  const page = new PageOfSteps();
  for await (const step of stepsAfter(deps.table, run, Number(place?.after ?? BEFORE_ALL))) {
    if (status !== undefined && statusOfState(step.status) !== status) continue;
    if (page.steps.length === limit || !page.add(step)) {
      return { items: page.steps, nextCursor: await cursorAfter(deps, run, page.last, status) };
    }
  }
  return { items: page.steps, nextCursor: null };
}

async function* stepsAfter(table: Table, run: StoredRun, after: number): AsyncGenerator<StoredStep> {
  const from = stepKey(run.workspaceId, run.id, after + 1);
  const items = queryItems(table, {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': from.pk, ':from': from.sk, ':to': 'STEP#~' },
    ConsistentRead: true,
  });
  for await (const item of items) if (item.kind === 'step') yield toRecord<StoredStep>(item);
}

/** Collects steps until the next one would make the reply too large. */
class PageOfSteps {
  readonly steps: StepRun[] = [];
  /** The index of the last node. */
  last = BEFORE_ALL;
  #bytes: number;

  constructor(bytesBefore = 0) {
    this.#bytes = bytesBefore;
  }

  add(stored: StoredStep): boolean {
    const step = toStepRun(stored);
    this.#bytes += quotedBytes(step);
    if (this.#bytes > MAX_REPLY_BYTES) return false;
    this.steps.push(step);
    this.last = stored.index;
    return true;
  }
}

/** The size of a value in a Lambda response, which holds the body as a JSON string. */
function quotedBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
}

function cursorAfter({ cursors, now }: Deps, run: StoredRun, index: number, status?: StepStatus): Promise<string> {
  const at = now();
  return cursors.seal({ after: String(index), asOf: at.toISOString() }, scopeOf(run, status), at);
}

const scopeOf = (run: StoredRun, status?: StepStatus) => ({
  workspaceId: run.workspaceId,
  list: ['step-runs', run.id, ...(status ? [status] : [])],
});
