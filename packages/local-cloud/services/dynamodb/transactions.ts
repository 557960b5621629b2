import { createHash } from 'node:crypto';
import { AwsError } from '../../core/aws-error.ts';
import { type CapacityDetail, Consumption, readUnits } from './capacity.ts';
import { commit, type Engine } from './engine.ts';
import { invalid, SchemaMismatch } from './errors.ts';
import {
  type GetInput,
  type KeyInput,
  type PutInput,
  rejectCollectionMetrics,
  type UpdateInput,
  type WriteOptions,
} from './item-inputs.ts';
import { jsonArray } from './json-text.ts';
import { planRead, projectItem } from './single-reads.ts';
import type { TableDefinition } from './table.ts';
import { type Item, itemSize } from './values.ts';
import {
  carryOut,
  failureUnits,
  type PlannedWrite,
  planConditionCheck,
  planDelete,
  planPut,
  planUpdate,
  requireCondition,
} from './writes.ts';

interface TransactAction {
  Put?: PutInput;
  Update?: UpdateInput;
  Delete?: KeyInput;
  ConditionCheck?: KeyInput;
}
export interface TransactWriteInput extends WriteOptions {
  TransactItems: TransactAction[];
  ClientRequestToken?: string;
}
export interface TransactGetInput {
  TransactItems: { Get: GetInput }[];
  ReturnConsumedCapacity?: CapacityDetail;
}

/** Why one action of a cancelled transaction failed; `None` for the others. */
interface CancellationReason {
  Code: string;
  Message?: string;
  Item?: Item;
}

const MAX_TRANSACTION_BYTES = 4 * 1024 * 1024;
const TOKEN_LIFETIME_MS = 10 * 60 * 1000;

export function transactWriteItems(engine: Engine, input: TransactWriteInput): Record<string, unknown> {
  rejectCollectionMetrics(input);
  const digest = createHash('sha256').update(JSON.stringify(input.TransactItems)).digest('base64');
  const plans = input.TransactItems.map((action) => planAction(engine, action));
  const writes = plans.filter((plan): plan is PlannedWrite => !(plan instanceof SchemaMismatch));
  rejectSameItem(writes);
  if (isReplay(engine, input.ClientRequestToken, digest)) return replayed(engine, writes, input);

  const consumed = new Map<TableDefinition, Consumption>();
  const reasons: CancellationReason[] = plans.map(() => ({ Code: 'None' }));
  commit(engine, () => {
    let bytes = 0;
    // Every condition sees the items before the transaction; no item occurs twice.
    plans.forEach((write, index) => {
      if (write instanceof SchemaMismatch) {
        reasons[index] = { Code: 'ValidationError', Message: write.message };
        return;
      }
      const outcome = attempt(engine, write);
      add(consumed, write.table, outcome.consumption);
      if (outcome.reason) reasons[index] = outcome.reason;
      bytes += outcome.bytes;
    });
    if (reasons.some(({ Code: code }) => code !== 'None')) {
      charge(engine, consumed, 'NONE', 'WriteCapacityUnits');
      throw cancelled(reasons);
    }
    if (bytes > MAX_TRANSACTION_BYTES) {
      throw invalid('Aggregated size of items in the transaction exceeds the maximum allowed size of 4 MB');
    }
    recordToken(engine, input.ClientRequestToken, digest);
  });
  return { ConsumedCapacity: charge(engine, consumed, input.ReturnConsumedCapacity, 'WriteCapacityUnits') };
}

export function transactGetItems(engine: Engine, input: TransactGetInput): Record<string, unknown> {
  const reads = input.TransactItems.map(({ Get: get }) => planRead(get, (name) => engine.catalogue.table(name)));
  const consumed = new Map<TableDefinition, Consumption>();
  let bytes = 0;
  const texts = reads.map((read) => {
    const stored = engine.items.read(read.table, read.at);
    const consumption = new Consumption();
    consumption.addToTable(readUnits(stored?.size ?? 0, true));
    add(consumed, read.table, consumption);
    bytes += stored?.size ?? 0;
    return stored ? `{"Item":${projectItem(stored, read.projection)}}` : '{}';
  });
  if (bytes > MAX_TRANSACTION_BYTES) {
    throw invalid('Aggregated size of items in the transaction exceeds the maximum allowed size of 4 MB');
  }
  return {
    Responses: jsonArray(texts),
    ConsumedCapacity: charge(engine, consumed, input.ReturnConsumedCapacity, 'ReadCapacityUnits'),
  };
}

/** A transaction that lost a conflict over an item; every action has a reason, the first is the conflict. */
export function transactionConflict(actions: number): AwsError {
  const reasons: CancellationReason[] = Array.from({ length: actions }, () => ({ Code: 'None' }));
  reasons[0] = { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' };
  return cancelled(reasons);
}

/** An action that does not fit its table is a cancellation reason, not an error of its own. */
function planAction(engine: Engine, action: TransactAction): PlannedWrite | SchemaMismatch {
  try {
    return plan(engine, action);
  } catch (error) {
    if (error instanceof SchemaMismatch) return error;
    throw error;
  }
}

function plan(engine: Engine, action: TransactAction): PlannedWrite {
  const find = (name: string): TableDefinition => engine.catalogue.table(name);
  const { Put, Update, Delete, ConditionCheck } = action;
  if ([Put, Update, Delete, ConditionCheck].filter((given) => given !== undefined).length !== 1) {
    throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
  }
  if (Put) return planPut(Put, find);
  if (Update) return planUpdate(Update, find);
  if (Delete) return planDelete(Delete, find);
  return planConditionCheck(ConditionCheck as KeyInput, find);
}

function rejectSameItem(writes: PlannedWrite[]): void {
  const seen = new Set<string>();
  for (const { table, at } of writes) {
    const place = `${table.name}\n${at.pk.toString('hex')}\n${at.sk.toString('hex')}`;
    if (seen.has(place)) {
      throw invalid('Transaction request cannot include multiple operations on one item');
    }
    seen.add(place);
  }
}

interface Outcome {
  consumption: Consumption;
  bytes: number;
  /** Why the action failed; it consumes units nevertheless. */
  reason?: CancellationReason;
}

function attempt(engine: Engine, write: PlannedWrite): Outcome {
  const stored = engine.items.read(write.table, write.at);
  const onlyRead = new Consumption();
  onlyRead.addToTable(failureUnits(stored));
  try {
    if (write.kind === 'ConditionCheck') {
      requireCondition(write, stored);
      return { consumption: onlyRead, bytes: stored?.size ?? 0 };
    }
    const { before, after, consumption } = carryOut(write, engine.items);
    return { consumption, bytes: Math.max(before?.size ?? 0, after ? itemSize(after) : 0) };
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    const reason: CancellationReason =
      error.code === 'ConditionalCheckFailedException'
        ? { Code: 'ConditionalCheckFailed', Message: error.message, ...error.fields }
        : { Code: 'ValidationError', Message: error.message };
    return { consumption: onlyRead, bytes: 0, reason };
  }
}

function cancelled(reasons: CancellationReason[]): AwsError {
  const codes = reasons.map(({ Code: code }) => code).join(', ');
  return new AwsError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { fields: { CancellationReasons: reasons } },
  );
}

function isReplay({ store, context }: Engine, token: string | undefined, digest: string): boolean {
  if (token === undefined) return false;
  const row = store.get('SELECT digest, expires_at FROM transactions WHERE token = ?', token);
  if (!row || (row.expires_at as number) <= context.clock.now()) return false;
  if (row.digest === digest) return true;
  throw new AwsError(
    'IdempotentParameterMismatchException',
    'Request contains parameters that are different from a prior request with the same ClientRequestToken',
  );
}

/** In the same commit as the transaction, so that a repeated request is recognised even after a crash. */
function recordToken({ store, context }: Engine, token: string | undefined, digest: string): void {
  if (token === undefined) return;
  const expiresAt = context.clock.now() + TOKEN_LIFETIME_MS;
  store.run('INSERT OR REPLACE INTO transactions VALUES (?, ?, ?)', token, digest, expiresAt);
}

/** Deletes expired tokens. It scans the tokens of ten minutes, so it does not run with every transaction. */
export function forgetTokens({ store, context }: Engine): void {
  store.run('DELETE FROM transactions WHERE expires_at <= ?', context.clock.now());
}

/** A repeated request changes nothing and consumes the units of reading its items. */
function replayed(engine: Engine, writes: PlannedWrite[], input: TransactWriteInput): Record<string, unknown> {
  const consumed = new Map<TableDefinition, Consumption>();
  for (const write of writes) {
    const consumption = new Consumption();
    consumption.addToTable(readUnits(engine.items.read(write.table, write.at)?.size ?? 0, true));
    add(consumed, write.table, consumption);
  }
  return { ConsumedCapacity: charge(engine, consumed, input.ReturnConsumedCapacity, 'ReadCapacityUnits') };
}

function add(consumed: Map<TableDefinition, Consumption>, table: TableDefinition, consumption: Consumption): void {
  const sum = consumed.get(table) ?? new Consumption();
  sum.add(consumption.inTransaction());
  consumed.set(table, sum);
}

function charge(
  engine: Engine,
  consumed: Map<TableDefinition, Consumption>,
  detail: CapacityDetail | undefined,
  kind: 'ReadCapacityUnits' | 'WriteCapacityUnits',
): unknown[] | undefined {
  for (const [table, consumption] of consumed) {
    engine.meter.count(table, kind === 'ReadCapacityUnits' ? 'read' : 'write', consumption.total);
  }
  if (detail !== 'TOTAL' && detail !== 'INDEXES') return undefined;
  return [...consumed].map(([table, consumption]) => consumption.describe(table, detail, kind));
}
