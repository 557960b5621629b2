import { Consumption, readUnits } from './capacity.ts';
import type { Engine } from './engine.ts';
import type { Path } from './expressions/paths.ts';
import { Placeholders } from './expressions/placeholders.ts';
import { bindProjection, project } from './expressions/projection.ts';
import type { GetInput } from './item-inputs.ts';
import { positionOf, type StoredItem } from './items.ts';
import { JsonText } from './json-text.ts';
import { checkKey, type Position } from './keys.ts';
import type { TableDefinition } from './table.ts';
import { type AttributeValue, normaliseValue } from './values.ts';

/** A read by key, checked against its table. */
export interface PlannedRead {
  table: TableDefinition;
  at: Position;
  projection?: Path[];
}

export function planRead(input: GetInput, find: (name: string) => TableDefinition): PlannedRead {
  for (const name in input.Key) normaliseValue(input.Key[name] as AttributeValue);
  const { ProjectionExpression: text } = input;
  const placeholders = new Placeholders(input, { ProjectionExpression: text });
  const projection = text === undefined ? undefined : bindProjection(text, placeholders);
  placeholders.rejectUnused();
  const table = find(input.TableName);
  checkKey(table.schema, input.Key);
  return { table, at: positionOf(table, input.Key), ...(projection ? { projection } : {}) };
}

/** The requested parts of the item, as JSON text. */
export function projectItem(stored: StoredItem, projection: Path[] | undefined): string {
  return projection ? JSON.stringify(project(stored.item, projection)) : stored.text;
}

export function getItem(engine: Engine, input: GetInput): Record<string, unknown> {
  const { table, at, projection } = planRead(input, (name) => engine.catalogue.table(name));
  const stored = engine.items.read(table, at);
  const consumption = new Consumption();
  consumption.addToTable(readUnits(stored?.size ?? 0, input.ConsistentRead ?? false));
  engine.meter.count(table, 'read', consumption.total);
  return {
    Item: stored && new JsonText(projectItem(stored, projection)),
    ConsumedCapacity: consumption.describe(table, input.ReturnConsumedCapacity),
  };
}
