import { columnsWithout, fieldsOf, isSameColumn, type ModelDefinition, type ModelField } from '../models/index.ts';
import { mayReadLabel, type Reader } from './reader.ts';
import type { Rights } from './table-rights.ts';

/**
 * The fields of a model that the reader may not use. A field is denied by its own label or by that of the column that
 * it reads, also if another model has set it. Where a step of a table uses a hidden column, all fields of the table are
 * denied.
 */
export function deniedFields(definition: ModelDefinition, rights: Rights, reader: Reader): ReadonlySet<string> {
  const denied = new Set<string>();
  for (const { id, sourceSchema, sourceTable } of definition.tables.values()) {
    const hidden = rights.of({ schema: sourceSchema, table: sourceTable })?.hidden ?? [];
    const left = hidden.length === 0 ? 'all' : columnsWithout(definition, id, hidden);
    const fields = fieldsOf(definition, id);
    const labelled = fields.filter((field) => isDeniedByLabel(field, reader));
    for (const field of fields) {
      const { sourceColumn } = field;
      const isLabelled = labelled.some(
        (other) => other === field || (sourceColumn !== null && isSameName(other.sourceColumn, sourceColumn)),
      );
      const isReadable =
        sourceColumn === null || left === 'all' || left.some((column) => isSameColumn(column, sourceColumn));
      if (isLabelled || !isReadable) denied.add(field.id);
    }
  }
  return denied;
}

/** The fields whose own label the reader lacks, also calculated ones, which are no columns of a table. */
export const fieldsDeniedByLabel = ({ fields }: ModelDefinition, reader: Reader): string[] =>
  [...fields.values()].filter((field) => isDeniedByLabel(field, reader)).map(({ id }) => id);

/** Whether any field of the model has a label. */
export const hasLabels = ({ fields }: ModelDefinition): boolean =>
  [...fields.values()].some(({ sensitivityLabel }) => sensitivityLabel !== null);

const isDeniedByLabel = ({ sensitivityLabel }: ModelField, reader: Reader): boolean =>
  sensitivityLabel !== null && !mayReadLabel(reader, sensitivityLabel);

const isSameName = (one: string | null, other: string): boolean => one !== null && isSameColumn(one, other);
