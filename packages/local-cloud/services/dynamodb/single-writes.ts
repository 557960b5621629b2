import { AwsError } from '../../core/aws-error.ts';
import { commit, type Engine } from './engine.ts';
import { invalid } from './errors.ts';
import { project } from './expressions/projection.ts';
import {
  type KeyInput,
  type PutInput,
  type ReturnValues,
  rejectCollectionMetrics,
  type UpdateInput,
  type WriteOptions,
} from './item-inputs.ts';
import type { StoredItem } from './items.ts';
import { JsonText } from './json-text.ts';
import type { Item } from './values.ts';
import { carryOut, failureUnits, type PlannedWrite, planDelete, planPut, planUpdate } from './writes.ts';

export function putItem(engine: Engine, input: PutInput & WriteOptions): Record<string, unknown> {
  requireReturnValues(input, ['ALL_OLD', 'NONE']);
  return write(
    engine,
    planPut(input, (name) => engine.catalogue.table(name)),
    input,
  );
}

export function deleteItem(engine: Engine, input: KeyInput & WriteOptions): Record<string, unknown> {
  requireReturnValues(input, ['ALL_OLD', 'NONE']);
  return write(
    engine,
    planDelete(input, (name) => engine.catalogue.table(name)),
    input,
  );
}

export function updateItem(engine: Engine, input: UpdateInput & WriteOptions): Record<string, unknown> {
  return write(
    engine,
    planUpdate(input, (name) => engine.catalogue.table(name)),
    input,
  );
}

function requireReturnValues({ ReturnValues: asked }: WriteOptions, allowed: ReturnValues[]): void {
  if (asked === undefined || allowed.includes(asked)) return;
  throw invalid(`ReturnValues can only be ALL_OLD or NONE`);
}

function write(engine: Engine, plan: PlannedWrite, options: WriteOptions): Record<string, unknown> {
  rejectCollectionMetrics(options);
  const { table } = plan;
  let outcome: ReturnType<typeof carryOut>;
  try {
    outcome = commit(engine, () => carryOut(plan, engine.items));
  } catch (error) {
    if (error instanceof AwsError && error.code === 'ConditionalCheckFailedException') {
      engine.meter.count(table, 'write', failureUnits(engine.items.read(table, plan.at)));
    }
    throw error;
  }
  const { before, after, consumption } = outcome;
  engine.meter.count(table, 'write', consumption.total);
  return {
    Attributes: returned(options.ReturnValues, plan, before, after),
    ConsumedCapacity: consumption.describe(table, options.ReturnConsumedCapacity),
  };
}

function returned(
  asked: ReturnValues | undefined,
  plan: PlannedWrite,
  before: StoredItem | undefined,
  after: Item | undefined,
): unknown {
  switch (asked) {
    case 'ALL_OLD':
      return before && new JsonText(before.text);
    case 'ALL_NEW':
      return after;
    case 'UPDATED_OLD':
      return unlessEmpty(before && project(before.item, plan.touched));
    case 'UPDATED_NEW':
      return unlessEmpty(after && project(after, plan.touched));
    default:
      return undefined;
  }
}

function unlessEmpty(item: Item | undefined): Item | undefined {
  return item && Object.keys(item).length > 0 ? item : undefined;
}
