import type { Members } from '../../../../platform/audit/changes.ts';
import { differences, type ModelDefinition, type PartKind } from '../definition/definition.ts';
import type { Measure, ModelField, Policy } from '../definition/records.ts';
import { measureText, policyText } from '../expressions/expressions.ts';
import { partName } from '../files/views.ts';

/** The parts of a model that an edit changes, as the audit log shows them: those before and those after it, by kind. */
export interface AuditedParts {
  before: Members;
  after: Members;
}

export function auditedParts(before: ModelDefinition, after: ModelDefinition): AuditedParts {
  const { put, remove } = differences(before, after);
  const changed = Object.groupBy(
    [...put.map(({ kind, part }) => ({ kind, id: part.id })), ...remove],
    ({ kind }) => kind,
  );
  const side = (definition: ModelDefinition): Members =>
    Object.fromEntries(
      Object.entries(changed).map(([kind, parts]) => [
        kind,
        parts.flatMap(({ id }) => showPart(definition, kind as PartKind, id) ?? []),
      ]),
    );
  return { before: side(before), after: side(after) };
}

/** What restricts or computes is shown with its text, everything else by its name. */
function showPart(definition: ModelDefinition, kind: PartKind, id: string): unknown {
  const part = definition[kind].get(id);
  if (!part) return undefined;
  const name = partName(definition, kind, part as never);
  switch (kind) {
    case 'policies': {
      const { appliesTo, tableId, ...policy } = part as Policy;
      const { alias } = definition.tables.get(tableId)!;
      const filterExpression = policyText(definition, { appliesTo, tableId, ...policy });
      return { name, table: alias, filterExpression, appliesTo };
    }
    case 'measures':
      return (part as Measure).deletedAt === null
        ? { name, expression: measureText(definition, part as Measure) }
        : undefined;
    case 'fields': {
      const { sensitivityLabel } = part as ModelField;
      return sensitivityLabel === null ? name : { name, sensitivityLabel };
    }
    default:
      return name;
  }
}
