import type { Consumption } from './capacity.ts';
import { writeUnits } from './capacity.ts';
import { conditionFailed, SchemaMismatch } from './errors.ts';
import { bindCondition, type Condition } from './expressions/condition.ts';
import { holds } from './expressions/evaluate.ts';
import type { Path } from './expressions/paths.ts';
import { Placeholders } from './expressions/placeholders.ts';
import { applyUpdate, type BoundAction, bindUpdate } from './expressions/update.ts';
import type { ConditionInput, KeyInput, PutInput, UpdateInput } from './item-inputs.ts';
import { checkStorable, type Items, positionOf, type StoredItem } from './items.ts';
import { checkItemKey, checkKey, keyNames, type Position } from './keys.ts';
import type { TableDefinition } from './table.ts';
import { type Item, normaliseValue, typeOf } from './values.ts';

/**
 * A write, checked against its table but not yet against the stored item. Single writes, batches and transactions
 * consist of these.
 */
export interface PlannedWrite {
  kind: 'Put' | 'Update' | 'Delete' | 'ConditionCheck';
  table: TableDefinition;
  at: Position;
  condition?: Condition;
  /** Whether a failed condition returns the stored item. */
  showsItemOnFailure: boolean;
  /** The new item; undefined deletes it. Throws `ValidationException` for an impossible update. */
  next(before: StoredItem | undefined): Item | undefined;
  /** The paths of an update, for `UPDATED_OLD` and `UPDATED_NEW`. */
  touched: Path[];
}

export function planPut(input: PutInput, find: (name: string) => TableDefinition): PlannedWrite {
  for (const name in input.Item) normaliseItemValue(input.Item, name);
  const { condition } = bindWrite(input);
  const table = find(input.TableName);
  checkItemKey(table.schema, input.Item);
  checkStorable(table, input.Item, 'put');
  return plan('Put', table, input, input.Item, condition, () => input.Item);
}

export function planDelete(input: KeyInput, find: (name: string) => TableDefinition): PlannedWrite {
  const { condition } = bindWrite(input);
  const table = findWithKey(input, find);
  return plan('Delete', table, input, input.Key, condition, () => undefined);
}

/** Throws `ValidationException` if the expression is missing, because the request's shape requires it. */
export function planConditionCheck(input: KeyInput, find: (name: string) => TableDefinition): PlannedWrite {
  const { condition } = bindWrite(input);
  const table = findWithKey(input, find);
  return plan('ConditionCheck', table, input, input.Key, condition, (before) => before?.item);
}

export function planUpdate(input: UpdateInput, find: (name: string) => TableDefinition): PlannedWrite {
  const { condition, actions } = bindWrite(input, { UpdateExpression: input.UpdateExpression });
  const table = findWithKey(input, find);
  rejectKeyChanges(table, actions);
  const next = (before: StoredItem | undefined): Item => {
    const item = applyUpdate(before?.item ?? input.Key, actions);
    checkStorable(table, item, 'update');
    return item;
  };
  const touched = actions.map(({ path }) => path);
  return { ...plan('Update', table, input, input.Key, condition, next), touched };
}

/** Applies the write inside the caller's transaction. Throws `ConditionalCheckFailedException` and errors of `next`. */
export function carryOut(
  write: PlannedWrite,
  items: Items,
): { before: StoredItem | undefined; after: Item | undefined; consumption: Consumption } {
  const before = items.read(write.table, write.at);
  requireCondition(write, before);
  const after = write.next(before);
  return { before, after, consumption: items.change(write.table, write.at, before, after) };
}

export function requireCondition(write: PlannedWrite, before: StoredItem | undefined): void {
  if (!write.condition || holds(write.condition, before?.item)) return;
  throw conditionFailed(write.showsItemOnFailure ? before?.item : undefined);
}

/** A failed condition consumes the units of writing the stored item. */
export function failureUnits(before: StoredItem | undefined): number {
  return writeUnits(before?.size ?? 0);
}

function plan(
  kind: PlannedWrite['kind'],
  table: TableDefinition,
  input: ConditionInput,
  key: Item,
  condition: Condition | undefined,
  next: PlannedWrite['next'],
): PlannedWrite {
  return {
    kind,
    table,
    at: positionOf(table, key),
    ...(condition ? { condition } : {}),
    showsItemOnFailure: input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
    next,
    touched: [],
  };
}

function bindWrite(
  input: ConditionInput,
  update: { UpdateExpression?: string | undefined } = {},
): { condition: Condition | undefined; actions: BoundAction[] } {
  const { ConditionExpression: text } = input;
  const { UpdateExpression: updateText } = update;
  const placeholders = new Placeholders(input, { ...update, ConditionExpression: text });
  const actions = updateText === undefined ? [] : bindUpdate(updateText, placeholders);
  const condition = text === undefined ? undefined : bindCondition(text, 'ConditionExpression', placeholders);
  placeholders.rejectUnused();
  return { condition, actions };
}

function findWithKey(input: KeyInput, find: (name: string) => TableDefinition): TableDefinition {
  for (const name in input.Key) normaliseItemValue(input.Key, name);
  const table = find(input.TableName);
  checkKey(table.schema, input.Key);
  return table;
}

function normaliseItemValue(item: Item, name: string): void {
  normaliseValue(item[name] as Item[string]);
}

function rejectKeyChanges(table: TableDefinition, actions: BoundAction[]): void {
  const keys = keyNames(table.schema);
  for (const { path } of actions) {
    if (!keys.includes(path[0] as string)) continue;
    throw new SchemaMismatch(
      `One or more parameter values were invalid: Cannot update attribute ${path[0]}. This attribute is part of the key`,
    );
  }
  for (const action of actions) {
    if (action.path.length > 1) rejectNestedIndexKey(table, action.path[0] as string);
    else if (action.kind === 'SET' && action.value.kind === 'value') rejectWrongIndexKey(table, action);
  }
}

function rejectNestedIndexKey(table: TableDefinition, name: string): void {
  for (const index of table.indexes) {
    if (!keyNames(index.schema).includes(name)) continue;
    throw new SchemaMismatch(
      `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: ${name}`,
    );
  }
}

function rejectWrongIndexKey(table: TableDefinition, action: Extract<BoundAction, { kind: 'SET' }>): void {
  if (action.value.kind !== 'value') return;
  const name = action.path[0];
  for (const index of table.indexes) {
    for (const key of [index.schema.hash, index.schema.range]) {
      if (key?.name !== name || key?.type === typeOf(action.value.value)) continue;
      throw new SchemaMismatch(
        `One or more parameter values were invalid: Type mismatch for Index Key ${name} Expected: ${key?.type} Actual: ${typeOf(action.value.value)} IndexName: ${index.name}`,
      );
    }
  }
}
