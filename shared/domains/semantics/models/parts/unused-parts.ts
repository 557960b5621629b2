import { referencesOf } from '../../../../data/expressions/index.ts';
import { liveMeasures, type ModelDefinition } from '../definition/definition.ts';
import type { Measure, ModelField } from '../definition/records.ts';

/** The visible fields and the measures that neither an object outside of the model nor a used part of it uses. */
export function unusedParts(
  definition: ModelDefinition,
  isUsed: (id: string) => boolean,
): { fields: ModelField[]; measures: Measure[] } {
  const { fields, relationships, hierarchies, policies } = definition;
  const measures = new Map(liveMeasures(definition).map((measure) => [measure.id, measure]));
  const used = new Set([...fields.keys(), ...measures.keys()].filter(isUsed));
  for (const { fromFieldId, toFieldId } of relationships.values()) used.add(fromFieldId).add(toFieldId);
  for (const { levels } of hierarchies.values()) for (const { fieldId } of levels) used.add(fieldId);
  for (const { filterExpression } of policies.values())
    for (const id of referencesOf(filterExpression).fields) used.add(id);
  // Iterating reaches what is added on the way.
  for (const id of used) {
    const field = fields.get(id);
    if (field?.sortByField) used.add(field.sortByField);
    const expression = field?.expression ?? measures.get(id)?.expression;
    if (!expression) continue;
    const references = referencesOf(expression);
    for (const each of [...references.fields, ...references.measures]) used.add(each);
  }
  return {
    fields: [...fields.values()].filter(({ id, isHidden }) => !isHidden && !used.has(id)),
    measures: [...measures.values()].filter(({ id }) => !used.has(id)),
  };
}
