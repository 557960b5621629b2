import { createHash } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { StoredBoundary } from '../../../data/connectors/extract/stored-boundary.ts';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { findLoad, notLoadedItem } from '../../datasets/index.ts';
import type { Plan } from '../definition/plan.ts';
import type { StoredRun, StoredStep, WatermarkMove } from './records.ts';
import { watermarkKey } from './run-keys.ts';

/** How old the boundary of an earlier watermark is when it is deleted: whoever was about to read it has done so. */
const BOUNDARY_STAYS_MS = 60 * 60 * 1000;

/** Which extract of which pipeline: every item of a block has its own. */
export interface ExtractPlace {
  workspaceId: string;
  pipelineId: string;
  stepId: string;
  itemIndex: number | null;
}

/** How far an extract has been loaded, with the rows at the edge that were read already. */
export interface StoredWatermark extends StoredBoundary {
  column: string;
  to: string;
  /** How often it has moved. */
  moves: number;
}

export async function readWatermark(table: Table, place: ExtractPlace): Promise<StoredWatermark | undefined> {
  const { Item: item } = await table.db.send(
    new GetCommand({ TableName: table.name, Key: keyOf(place), ConsistentRead: true }),
  );
  if (!item) return undefined;
  const { column, to, boundary = null, boundaryObject, moves = 0 } = item as StoredWatermark;
  return { column, to, moves, boundary, ...(boundaryObject === undefined ? {} : { boundaryObject }) };
}

const keyOf = ({ workspaceId, pipelineId, stepId, itemIndex }: ExtractPlace) =>
  watermarkKey(workspaceId, pipelineId, stepId, itemIndex);

/**
 * The writes with which a load moves the watermarks of the extracts it consumes. An extract that feeds several loads has
 * been loaded when the last of them commits; a concurrent commit of another one, or of another run, fails the condition.
 */
export async function watermarkItems(
  table: Table,
  objects: ObjectStore,
  run: StoredRun,
  plan: Plan,
  nodes: ReadonlyMap<number, StoredStep>,
  load: number,
  now: Date,
): Promise<TransactItem[]> {
  const moves: TransactItem[] = [];
  const open = new Map<string, TransactItem>();
  for (const { step, watermark } of consumedExtracts(plan, nodes, load)) {
    const place = { ...run, ...step };
    const others = loadsAfter(plan, step.index, nodes).filter(({ index }) => index !== load);
    const later = await firstOpen(table, run.workspaceId, others);
    // Whichever commits last finds the load that it counted on committed, and looks again: one is enough to count on.
    if (later !== undefined) open.set(later, notLoadedItem(table, run.workspaceId, later));
    const move =
      later === undefined ? moveItem(table, objects, place, watermark, now) : unmovedItem(table, place, watermark);
    moves.push(await move);
  }
  return [...moves, ...open.values()];
}

/** So many writes `watermarkItems` has at most, whichever loads are committed until it is asked. */
export function mostWatermarkItems(plan: Plan, nodes: ReadonlyMap<number, StoredStep>, load: number): number {
  const extracts = consumedExtracts(plan, nodes, load);
  const open = extracts
    .flatMap(({ step }) => loadsAfter(plan, step.index, nodes))
    .filter(({ index, status }) => index !== load && status !== 'succeeded');
  return extracts.length + Math.min(extracts.length, new Set(open).size);
}

/** The incremental extracts of whose rows a load takes. */
function consumedExtracts(
  plan: Plan,
  nodes: ReadonlyMap<number, StoredStep>,
  load: number,
): { step: StoredStep; watermark: WatermarkMove }[] {
  return ancestors(plan, load).flatMap((index) => {
    const step = nodes.get(index);
    return step?.output?.watermark ? [{ step, watermark: step.output.watermark }] : [];
  });
}

/** The key of a load that has not been committed. */
async function firstOpen(table: Table, workspaceId: string, loads: readonly StoredStep[]): Promise<string | undefined> {
  for (const loadKey of loads.filter(({ status }) => status !== 'succeeded').map(loadKeyOf)) {
    if (!(await findLoad(table, workspaceId, loadKey))) return loadKey;
  }
  return undefined;
}

/**
 * Whether another run has moved a watermark since an extract of this one read from it. The rows of that extract were read by
 * the other run too: a load must not take them any more.
 */
export async function isOvertaken(
  table: Table,
  run: StoredRun,
  plan: Plan,
  nodes: ReadonlyMap<number, StoredStep>,
  load: number,
): Promise<boolean> {
  for (const { step, watermark } of consumedExtracts(plan, nodes, load)) {
    const { moves = 0 } = (await readWatermark(table, { ...run, ...step })) ?? {};
    if (moves !== (watermark.since ?? 0)) return true;
  }
  return false;
}

/** Names a load whatever attempt does it. */
export function loadKeyOf(node: { runId: string; stepId: string; itemIndex: number | null }): string {
  return `${node.runId}#${node.stepId}#${node.itemIndex ?? '-'}`;
}

async function moveItem(
  table: Table,
  objects: ObjectStore,
  place: ExtractPlace,
  { column, to, since = 0, boundary, boundaryObject }: WatermarkMove,
  now: Date,
): Promise<TransactItem> {
  const kept = boundaryObject && (await keepBoundary(table, objects, place, boundaryObject, now));
  return {
    Put: {
      TableName: table.name,
      Item: {
        ...keyOf(place),
        entity: 'watermark',
        column,
        to,
        moves: since + 1,
        ...(kept ? { boundaryObject: kept } : { boundary }),
      },
      ...whileUnmoved(since),
    },
  };
}

function unmovedItem(table: Table, place: ExtractPlace, { since = 0 }: WatermarkMove): TransactItem {
  return { ConditionCheck: { TableName: table.name, Key: keyOf(place), ...whileUnmoved(since) } };
}

/** Watermarks of before moves were counted have no number, like those that have never moved. */
const whileUnmoved = (since: number) =>
  since === 0
    ? { ConditionExpression: 'attribute_not_exists(moves)' }
    : { ConditionExpression: 'moves = :since', ExpressionAttributeValues: { ':since': since } };

/** The outputs of an attempt go after some weeks, the watermark's boundary stays as long as it does. */
async function keepBoundary(
  table: Table,
  objects: ObjectStore,
  place: ExtractPlace,
  from: string,
  now: Date,
): Promise<string> {
  const { workspaceId, pipelineId, stepId, itemIndex } = place;
  const folder = `W/${workspaceId}/watermarks/${pipelineId}/${stepId}/${itemIndex ?? 'all'}/`;
  const kept = `${folder}${createHash('sha256').update(from).digest('hex').slice(0, 32)}.parquet`;
  await objects.copy({ key: from }, kept);
  const current = (await readWatermark(table, place))?.boundaryObject;
  const old = (await objects.list(folder)).filter(
    ({ key, updatedAt }) =>
      key !== kept && key !== current && Date.parse(updatedAt) + BOUNDARY_STAYS_MS < now.getTime(),
  );
  await objects.remove(old.map(({ key }) => key));
  return kept;
}

/** The nodes whose rows reach a node. */
function ancestors(plan: Plan, index: number): number[] {
  return reach(index, (at) => plan.nodes[at]!.after);
}

/** The loads that take a node's rows in this run or when it is retried; not those that are meant to be skipped. */
function loadsAfter(plan: Plan, index: number, nodes: ReadonlyMap<number, StoredStep>): StoredStep[] {
  const after = reach(index, (at) => plan.nodes[at]!.feeds.filter((next) => plan.nodes[next]!.after.includes(at)));
  return after.flatMap((at) => {
    const step = nodes.get(at);
    return step?.type === 'load' && !isSkippedByRight(step) ? [step] : [];
  });
}

/** A load that was skipped because something before it failed still owes its target the rows. */
const isSkippedByRight = ({ status, skipReason }: StoredStep) =>
  status === 'skipped' && skipReason !== 'upstream_failed';

function reach(start: number, next: (index: number) => readonly number[]): number[] {
  const seen = new Set<number>();
  const queue = [...next(start)];
  for (let index = queue.pop(); index !== undefined; index = queue.pop()) {
    if (seen.has(index)) continue;
    seen.add(index);
    queue.push(...next(index));
  }
  return [...seen];
}
