import { type CapacityDetail, Consumption, readUnits } from './capacity.ts';
import { commit, type Engine } from './engine.ts';
import { invalid } from './errors.ts';
import type { ExpressionInput } from './expressions/placeholders.ts';
import { rejectCollectionMetrics, type WriteOptions } from './item-inputs.ts';
import { JsonText } from './json-text.ts';
import { type PlannedRead, planRead, projectItem } from './single-reads.ts';
import type { TableDefinition } from './table.ts';
import type { Item } from './values.ts';
import { carryOut, type PlannedWrite, planDelete, planPut } from './writes.ts';

interface KeysAndOptions extends ExpressionInput {
  Keys: Item[];
  ConsistentRead?: boolean;
  ProjectionExpression?: string;
}
export interface BatchGetInput {
  RequestItems: Record<string, KeysAndOptions>;
  ReturnConsumedCapacity?: CapacityDetail;
}
type WriteRequest = { PutRequest?: { Item: Item }; DeleteRequest?: { Key: Item } };
export interface BatchWriteInput extends WriteOptions {
  RequestItems: Record<string, WriteRequest[]>;
}

const MAX_READS = 100;
const MAX_WRITES = 25;
const MAX_REPLY_BYTES = 16 * 1024 * 1024;
const MAX_REQUEST_BYTES = 16 * 1024 * 1024;

/** Requests beyond `processed` (default: all) are returned as unprocessed, as under throttling. */
export function batchGetItem(
  engine: Engine,
  input: BatchGetInput,
  processed = Number.POSITIVE_INFINITY,
): Record<string, unknown> {
  const total = Object.values(input.RequestItems).reduce((sum, { Keys: keys }) => sum + keys.length, 0);
  if (total > MAX_READS) throw invalid('Too many items requested for the BatchGetItem call');
  const plans = Object.entries(input.RequestItems).map(([name, request]) => {
    const { Keys: keys, ...options } = request;
    const reads = keys.map((Key) =>
      planRead({ ...options, TableName: name, Key }, (asked) => engine.catalogue.table(asked)),
    );
    rejectDuplicates(reads);
    return { name, request, reads };
  });

  const responses: string[] = [];
  const unprocessed: Record<string, KeysAndOptions> = {};
  const capacities: unknown[] = [];
  let [bytes, done] = [0, 0];
  for (const { name, request, reads } of plans) {
    const texts: string[] = [];
    const left: Item[] = [];
    const consumption = new Consumption();
    reads.forEach((read, index) => {
      const stored = done < processed ? engine.items.read(read.table, read.at) : undefined;
      if (done >= processed || bytes + (stored?.size ?? 0) > MAX_REPLY_BYTES) {
        left.push(request.Keys[index] as Item);
        return;
      }
      done += 1;
      bytes += stored?.size ?? 0;
      consumption.addToTable(readUnits(stored?.size ?? 0, request.ConsistentRead ?? false));
      if (stored) texts.push(projectItem(stored, read.projection));
    });
    const table = (reads[0] as PlannedRead).table;
    engine.meter.count(table, 'read', consumption.total);
    responses.push(`${JSON.stringify(name)}:[${texts.join(',')}]`);
    if (left.length > 0) unprocessed[name] = { ...request, Keys: left };
    capacities.push(consumption.describe(table, input.ReturnConsumedCapacity));
  }
  return {
    Responses: new JsonText(`{${responses.join(',')}}`),
    UnprocessedKeys: unprocessed,
    ConsumedCapacity: described(capacities),
  };
}

/** Writes are independent; those beyond `processed` (default: all) are returned as unprocessed, as under throttling. */
export function batchWriteItem(
  engine: Engine,
  input: BatchWriteInput,
  processed = Number.POSITIVE_INFINITY,
): Record<string, unknown> {
  rejectCollectionMetrics(input);
  const requests = Object.values(input.RequestItems);
  const total = requests.reduce((sum, list) => sum + list.length, 0);
  if (total > MAX_WRITES) throw invalid('Too many items requested for the BatchWriteItem call');
  const plans = Object.entries(input.RequestItems).map(([name, list]) => {
    const writes = list.map((request) => planWrite(engine, name, request));
    rejectDuplicates(writes);
    return { name, list, writes };
  });
  if (JSON.stringify(requests).length > MAX_REQUEST_BYTES) {
    throw invalid('Request size exceeds the maximum allowed size of 16 MB');
  }

  const unprocessed: Record<string, WriteRequest[]> = {};
  const capacities: unknown[] = [];
  let done = 0;
  commit(engine, () => {
    for (const { name, list, writes } of plans) {
      const consumption = new Consumption();
      const taken = Math.max(0, Math.min(writes.length, processed - done));
      done += taken;
      for (const write of writes.slice(0, taken)) consumption.add(carryOut(write, engine.items).consumption);
      const table = (writes[0] as PlannedWrite).table;
      engine.meter.count(table, 'write', consumption.total);
      if (taken < list.length) unprocessed[name] = list.slice(taken);
      capacities.push(consumption.describe(table, input.ReturnConsumedCapacity));
    }
  });
  return { UnprocessedItems: unprocessed, ConsumedCapacity: described(capacities) };
}

function planWrite(
  engine: Engine,
  name: string,
  { PutRequest: put, DeleteRequest: remove }: WriteRequest,
): PlannedWrite {
  const find = (asked: string): TableDefinition => engine.catalogue.table(asked);
  if (put && !remove) return planPut({ TableName: name, Item: put.Item }, find);
  if (remove && !put) return planDelete({ TableName: name, Key: remove.Key }, find);
  throw invalid(
    'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
  );
}

function rejectDuplicates(operations: (PlannedRead | PlannedWrite)[]): void {
  const seen = new Set<string>();
  for (const { at } of operations) {
    const place = `${at.pk.toString('latin1')}\n${at.pk.length}\n${at.sk.toString('latin1')}`;
    if (seen.has(place)) throw invalid('Provided list of item keys contains duplicates');
    seen.add(place);
  }
}

function described(capacities: unknown[]): unknown[] | undefined {
  return capacities.some((capacity) => capacity !== undefined) ? capacities : undefined;
}
