import { createHash } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { findLoad, notLoadedItem } from '../datasets/commit.ts';
import type { ObjectStore } from '../objects/object-store.ts';
import type { Table, TransactItem } from '../storage/table.ts';
import type { Plan } from './plan.ts';
import type { StoredRun, StoredStep, WatermarkMove } from './records.ts';
import { watermarkKey } from './run-keys.ts';

/** Larger boundaries lie in the bucket. */
const MOST_INLINE = 500;

/** Which extract of which pipeline: every item of a block has its own. */
export interface ExtractPlace {
  workspaceId: string;
  pipelineId: string;
  stepId: string;
  itemIndex: number | null;
}

/** How far an extract has been loaded. */
export interface StoredWatermark {
  column: string;
  to: string;
  /** Rows at the edge that were read already; null when there are too many to know them all. */
  boundary: string[] | null;
}

export async function readWatermark(
  table: Table,
  objects: ObjectStore,
  { workspaceId, pipelineId, stepId, itemIndex }: ExtractPlace,
): Promise<StoredWatermark | undefined> {
  const key = watermarkKey(workspaceId, pipelineId, stepId, itemIndex);
  const { Item: item } = await table.db.send(new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }));
  if (!item) return undefined;
  const boundary =
    typeof item.boundaryObject === 'string'
      ? (JSON.parse((await objects.read(item.boundaryObject)).toString('utf8')) as string[])
      : (item.boundary as string[] | null);
  return { column: item.column as string, to: item.to as string, boundary };
}

/**
 * The writes with which a load moves the watermarks of the extracts it consumes. An extract that feeds several loads has
 * been loaded when the last of them commits; a concurrent commit of another one fails the condition.
 */
export async function watermarkItems(
  table: Table,
  objects: ObjectStore,
  run: StoredRun,
  plan: Plan,
  nodes: ReadonlyMap<number, StoredStep>,
  load: number,
): Promise<TransactItem[]> {
  const moves: TransactItem[] = [];
  const open = new Map<string, TransactItem>();
  for (const index of ancestors(plan, load)) {
    const extract = nodes.get(index);
    if (!extract?.output?.watermark) continue;
    let last = true;
    for (const other of loadsAfter(plan, index, nodes).filter((candidate) => candidate !== load)) {
      const loadKey = loadKeyOf(nodes.get(other)!);
      if (await findLoad(table, run.workspaceId, loadKey)) continue;
      // That load moves the watermark when it commits. Two must not both think so of each other.
      last = false;
      open.set(loadKey, notLoadedItem(table, run.workspaceId, loadKey));
    }
    if (last) moves.push(await moveItem(table, objects, { ...run, ...extract }, extract.output.watermark));
  }
  return [...moves, ...open.values()];
}

/** Names a load whatever attempt does it. */
export function loadKeyOf(node: { runId: string; stepId: string; itemIndex: number | null }): string {
  return `${node.runId}#${node.stepId}#${node.itemIndex ?? '-'}`;
}

async function moveItem(
  table: Table,
  objects: ObjectStore,
  place: ExtractPlace,
  { column, to, boundary }: WatermarkMove,
): Promise<TransactItem> {
  const large = boundary !== null && boundary.length > MOST_INLINE;
  const text = JSON.stringify(boundary);
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 32);
  const object = `W/${place.workspaceId}/watermarks/${place.pipelineId}/${digest}.json`;
  if (large) await objects.write(object, Buffer.from(text), 'application/json');
  return {
    Put: {
      TableName: table.name,
      Item: {
        ...watermarkKey(place.workspaceId, place.pipelineId, place.stepId, place.itemIndex),
        entity: 'watermark',
        column,
        to,
        ...(large ? { boundaryObject: object } : { boundary }),
      },
    },
  };
}

/** The nodes whose rows reach a node. */
function ancestors(plan: Plan, index: number): number[] {
  return reach(index, (at) => plan.nodes[at]!.after);
}

/** The loads that take a node's rows in this run or when it is retried; not those that are meant to be skipped. */
function loadsAfter(plan: Plan, index: number, nodes: ReadonlyMap<number, StoredStep>): number[] {
  const after = reach(index, (at) => plan.nodes[at]!.feeds.filter((next) => plan.nodes[next]!.after.includes(at)));
  return after.filter((at) => nodes.get(at)?.type === 'load' && !isSkippedByRight(nodes.get(at)!));
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
