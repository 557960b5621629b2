import { referencesOf } from '../../../../data/expressions/index.ts';
import type { CertifiedRef } from '../../../tenancy/certifications/index.ts';
import { differences, type ModelDefinition, type PartKind } from '../definition/definition.ts';
import type { Measure, ModelField, ModelTable, Relationship, Transform } from '../definition/records.ts';

/**
 * The tables, fields and measures that mean something else after an edit, also because of what they are made from: a
 * table with other fields, relationships or transform steps, a field of other rows, a measure of other fields. Names,
 * descriptions, formats and the like mean the same.
 */
export function partsOfOtherMeaning(before: ModelDefinition, after: ModelDefinition): CertifiedRef[] {
  const changed = changedParts(before, after);
  const idsOf = (kind: PartKind) => changed.flatMap((each) => (each.kind === kind ? [each.id] : []));
  const withOtherRows = new Set([
    ...idsOf('tables'),
    ...changed.flatMap(({ kind, part }) => (kind === 'transforms' ? [(part as Transform).tableId] : [])),
  ]);
  const withOtherValues = [
    ...idsOf('fields').filter((id) => valuesOf(before.fields.get(id)) !== valuesOf(after.fields.get(id))),
    ...[...after.fields.values()].flatMap(({ id, tableId }) => (withOtherRows.has(tableId) ? [id] : [])),
  ];
  const computed = computedFrom(after, { field: withOtherValues, measure: idsOf('measures') });
  return [
    ...refsTo('table', [...idsOf('tables'), ...changed.flatMap(tablesOf)]),
    ...refsTo('field', [...idsOf('fields'), ...computed.field]),
    ...refsTo('measure', computed.measure),
  ];
}

const refsTo = (type: CertifiedRef['type'], ids: Iterable<string>): CertifiedRef[] =>
  [...new Set(ids)].map((id) => ({ type, id }));

/** The parts that differ in what they mean, as they are after the edit, or were before they were removed. */
function changedParts(before: ModelDefinition, after: ModelDefinition) {
  const { put, remove } = differences(before, after);
  const changed = [...put.map(({ kind, part: { id } }) => ({ kind, id })), ...remove];
  return changed.flatMap(({ kind, id }) => {
    const sides = [before[kind].get(id), after[kind].get(id)] as const;
    const [was, is] = sides.map((part) => part && JSON.stringify(meaningOf(kind, part)));
    return was === is ? [] : [{ kind, id, part: (sides[1] ?? sides[0]) as unknown }];
  });
}

/** The tables whose fields, relationships or transform steps include the part. */
function tablesOf({ kind, part }: { kind: PartKind; part: unknown }): string[] {
  if (kind === 'measures') return [];
  if (kind !== 'relationships') return (part as { tableId?: string }).tableId ? [(part as ModelField).tableId] : [];
  const { fromTableId, toTableId } = part as Relationship;
  return [fromTableId, toTableId];
}

/** The fields and measures themselves, and those that are computed from them, as far as that goes. */
function computedFrom(
  { fields, measures }: ModelDefinition,
  changed: Record<'field' | 'measure', readonly string[]>,
): Record<'field' | 'measure', Set<string>> {
  const found = { field: new Set(changed.field), measure: new Set(changed.measure) };
  if (found.field.size + found.measure.size === 0) return found;
  const computed = [
    ...[...fields.values()].map(({ id, expression }) => ({ id, ids: found.field, expression })),
    ...[...measures.values()].map(({ id, expression }) => ({ id, ids: found.measure, expression })),
  ].flatMap(({ id, ids, expression }) => (expression ? [{ id, ids, uses: referencesOf(expression) }] : []));
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const { id, ids, uses } of computed) {
      const isChanged =
        uses.fields.some((each) => found.field.has(each)) || uses.measures.some((each) => found.measure.has(each));
      if (!isChanged || ids.has(id)) continue;
      ids.add(id);
      isDone = false;
    }
  }
  return found;
}

/** What decides the values of a field, unlike how they are summed up by default. */
const valuesOf = (field: ModelField | undefined): string | undefined =>
  field && JSON.stringify([field.sourceColumn, field.dataType, field.expression]);

/** Undefined where every part of the kind means the same: rollups answer as the rows do, policies hide them. */
function meaningOf(kind: PartKind, part: unknown): unknown {
  switch (kind) {
    case 'tables': {
      const { sourceSchema, sourceTable } = part as ModelTable;
      return [sourceSchema, sourceTable];
    }
    case 'fields': {
      const { sourceColumn, fieldType, dataType, aggregation, expression } = part as ModelField;
      return [sourceColumn, fieldType, dataType, aggregation, expression];
    }
    case 'measures': {
      const { expression, dataType, deletedAt } = part as Measure;
      return [expression, dataType, deletedAt === null];
    }
    case 'relationships': {
      const { fromTableId, fromFieldId, toTableId, toFieldId, joinType, cardinality, isActive } = part as Relationship;
      return [fromTableId, fromFieldId, toTableId, toFieldId, joinType, cardinality, isActive];
    }
    case 'transforms': {
      const { tableId, type, config, isEnabled, order } = part as Transform;
      return [tableId, type, config, isEnabled, order];
    }
    default:
      return undefined;
  }
}
