import { createHash } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { StoredBoundary } from '../../../data/connectors/extract/stored-boundary.ts';
import type { ObjectStore } from '../../../platform/objects/object-store.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { findLoad, notLoadedItem } from '../../warehouse/datasets/index.ts';
import type { Plan } from '../definition/index.ts';
import { watermarkKey } from './run-keys.ts';
import type { StoredRun } from './run-record.ts';
import type { Increment, WatermarkMove } from './step-output.ts';
import type { StoredStep } from './step-record.ts';

/** The boundary of an earlier watermark is kept this long for extracts that are about to read it. */
const BOUNDARY_RETENTION_MS = 60 * 60 * 1000;

/** Identifies a watermark: each item of a block has its own. */
export interface ExtractPlace {
  workspaceId: string;
  pipelineId: string;
  stepId: string;
  itemIndex: number | null;
}

/** How far an extract has been loaded, with the boundary rows that were read already. */
export interface StoredWatermark extends StoredBoundary {
  column: string;
  /** Null after a full refresh that found no rows. */
  to: string | null;
  /** How often it has moved. */
  moves: number;
  /** The run that moved it last. */
  movedBy: string;
}

export async function readWatermark(table: Table, place: ExtractPlace): Promise<StoredWatermark | undefined> {
  const { Item: item } = await table.db.send(
    new GetCommand({ TableName: table.name, Key: keyOf(place), ConsistentRead: true }),
  );
  if (!item) return undefined;
  const { column, to, boundary = null, boundaryObject, moves, movedBy } = item as StoredWatermark;
  return { column, to, moves, movedBy, boundary, ...(boundaryObject === undefined ? {} : { boundaryObject }) };
}

const keyOf = ({ workspaceId, pipelineId, stepId, itemIndex }: ExtractPlace) =>
  watermarkKey(workspaceId, pipelineId, stepId, itemIndex);

/**
 * The items with which a load moves the watermarks of the extracts that it consumes. The watermark of an extract that
 * feeds several loads moves when the last of them commits; a concurrent commit of another load or run fails the
 * condition.
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
    if (await isMovedByRun(table, run, { step, watermark })) {
      moves.push(movedItem(table, place, watermark, run.id));
      continue;
    }
    const others = loadsAfter(plan, step.index, nodes).filter(({ index }) => index !== load);
    const later = await firstOpen(table, run.workspaceId, others);
    // The load that commits last finds its assumption violated and decides again; checking one open load is enough.
    if (later !== undefined) open.set(later, notLoadedItem(table, run.workspaceId, later));
    const move =
      later === undefined
        ? moveItem(table, objects, { ...place, runId: run.id }, watermark, now)
        : unmovedItem(table, place, watermark);
    moves.push(await move);
  }
  return [...moves, ...open.values()];
}

/** The maximum number of items of `watermarkItems`, whichever loads commit before it runs. */
export function maxWatermarkItems(plan: Plan, nodes: ReadonlyMap<number, StoredStep>, load: number): number {
  const extracts = consumedExtracts(plan, nodes, load);
  const open = extracts
    .flatMap(({ step }) => loadsAfter(plan, step.index, nodes))
    .filter(({ index, status }) => index !== load && status !== 'succeeded');
  return extracts.length + Math.min(extracts.length, new Set(open).size);
}

/** The incremental extracts whose rows a load consumes. */
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

/** What the incremental extracts have read whose rows a load consumes. */
export function incrementsOf(
  plan: Plan,
  nodes: ReadonlyMap<number, StoredStep>,
  load: number,
): { stepId: string; increment: Increment }[] {
  return ancestors(plan, load).flatMap((index) => {
    const { stepId, output } = nodes.get(index) ?? {};
    return stepId !== undefined && output?.increment ? [{ stepId, increment: output.increment }] : [];
  });
}

/** The key of the first load that has not committed. */
async function firstOpen(table: Table, workspaceId: string, loads: readonly StoredStep[]): Promise<string | undefined> {
  for (const loadKey of loads.filter(({ status }) => status !== 'succeeded').map(loadKeyOf)) {
    if (!(await findLoad(table, workspaceId, loadKey))) return loadKey;
  }
  return undefined;
}

/**
 * Whether another run has moved a watermark since an extract of this run read it. The other run has read the rows of
 * that extract too, so this run must not load them.
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
    if (moves === (watermark.since ?? 0)) continue;
    if (!(await isMovedByRun(table, run, { step, watermark }))) return true;
  }
  return false;
}

/** Whether the last move of a watermark was for these rows: the run repeats loads that had committed. */
async function isMovedByRun(
  table: Table,
  run: StoredRun,
  { step, watermark }: { step: StoredStep; watermark: WatermarkMove },
): Promise<boolean> {
  const { moves, movedBy } = (await readWatermark(table, { ...run, ...step })) ?? {};
  return movedBy === run.id && moves === (watermark.since ?? 0) + 1;
}

/** Identifies a load across its attempts; a run that repeats a committed load makes another one of it. */
export function loadKeyOf(node: Pick<StoredStep, 'runId' | 'stepId' | 'itemIndex' | 'redo'>): string {
  const { runId, stepId, itemIndex, redo } = node;
  return `${runId}#${stepId}#${itemIndex ?? '-'}${redo === undefined ? '' : `@${redo}`}`;
}

async function moveItem(
  table: Table,
  objects: ObjectStore,
  place: ExtractPlace & { runId: string },
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
        movedBy: place.runId,
        ...(kept ? { boundaryObject: kept } : { boundary }),
      },
      ...whileUnmoved(since),
    },
  };
}

function unmovedItem(table: Table, place: ExtractPlace, { since = 0 }: WatermarkMove): TransactItem {
  return { ConditionCheck: { TableName: table.name, Key: keyOf(place), ...whileUnmoved(since) } };
}

function movedItem(table: Table, place: ExtractPlace, { since = 0 }: WatermarkMove, runId: string): TransactItem {
  return {
    ConditionCheck: {
      TableName: table.name,
      Key: keyOf(place),
      ConditionExpression: 'moves = :moves AND movedBy = :run',
      ExpressionAttributeValues: { ':moves': since + 1, ':run': runId },
    },
  };
}

/** A watermark that has never moved has no number. */
const whileUnmoved = (since: number) =>
  since === 0
    ? { ConditionExpression: 'attribute_not_exists(moves)' }
    : { ConditionExpression: 'moves = :since', ExpressionAttributeValues: { ':since': since } };

/** Copies the boundary, because the outputs of an attempt expire and the watermark does not. */
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
      key !== kept && key !== current && Date.parse(updatedAt) + BOUNDARY_RETENTION_MS < now.getTime(),
  );
  await objects.remove(old.map(({ key }) => key));
  return kept;
}

/** The nodes whose rows reach a node. */
function ancestors(plan: Plan, index: number): number[] {
  return reach(index, (at) => plan.nodes[at]!.after);
}

/** The loads that consume a node's rows in this run or in its retry, without those skipped by a condition. */
function loadsAfter(plan: Plan, index: number, nodes: ReadonlyMap<number, StoredStep>): StoredStep[] {
  const after = reach(index, (at) => plan.nodes[at]!.feeds.filter((next) => plan.nodes[next]!.after.includes(at)));
  return after.flatMap((at) => {
    const step = nodes.get(at);
    return step?.type === 'load' && !isSkippedForGood(step) ? [step] : [];
  });
}

/** A load that was skipped because of a failure runs in a retry. */
const isSkippedForGood = ({ status, skipReason }: StoredStep) =>
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
