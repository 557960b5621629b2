import { fieldReference } from '../../../../data/expressions/index.ts';
import type { ModelDefinition } from './definition.ts';

/** A field as files name it: `orders.amount`. */
export function fieldName({ tables, fields }: ModelDefinition, id: string): string {
  const { tableId, name } = fields.get(id)!;
  return fieldReference(tables.get(tableId)!.alias, name).slice(1, -1);
}
