import { AppError } from '../../../../platform/errors/app-error.ts';
import type { ErrorCode } from '../../../../platform/errors/catalogue.ts';
import type { PartKind, PartMaps, Parts } from './definition.ts';
import type { ModelField, Transform } from './records.ts';

const NOT_FOUND = {
  tables: 'MODEL_TABLE_NOT_FOUND',
  fields: 'MODEL_FIELD_NOT_FOUND',
  relationships: 'MODEL_RELATIONSHIP_NOT_FOUND',
  hierarchies: 'MODEL_HIERARCHY_NOT_FOUND',
  policies: 'MODEL_POLICY_NOT_FOUND',
  measures: 'MODEL_MEASURE_NOT_FOUND',
  rollups: 'MODEL_ROLLUP_NOT_FOUND',
  transforms: 'MODEL_TRANSFORM_NOT_FOUND',
} as const satisfies Record<PartKind, ErrorCode>;

/** Throws the kind's own code if the model has no such part. */
export function findPart<K extends PartKind>(parts: PartMaps, kind: K, id: string): Parts[K] {
  const part = parts[kind].get(id) as Parts[K] | undefined;
  if (!part || ('deletedAt' in part && part.deletedAt !== null)) throw new AppError(NOT_FOUND[kind]);
  return part;
}

/** A field or transform step of the table. Throws the code of the table, or of the part. */
export function findOfTable<K extends 'fields' | 'transforms'>(
  parts: PartMaps,
  kind: K,
  { tableId, id }: { tableId: string; id: string },
): Parts[K] {
  findPart(parts, 'tables', tableId);
  const part = findPart(parts, kind, id) as ModelField | Transform;
  if (part.tableId !== tableId) throw new AppError(NOT_FOUND[kind]);
  return part as Parts[K];
}
