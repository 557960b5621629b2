import { referencesOf } from '../../../../data/expressions/index.ts';
import {
  failedTransform,
  isMissing,
  isStaleField,
  liveMeasures,
  type ModelDefinition,
  measureAnalysis,
} from '../../../semantics/models/index.ts';

/** Fields and measures that do not work. Fields are missing if the steps of their table fail. */
export function brokenParts(definition: ModelDefinition): Set<string> {
  const broken = new Set<string>();
  for (const field of definition.fields.values()) {
    const isWithoutColumn = field.sourceColumn !== null && failedTransform(definition, field.tableId) !== undefined;
    if (isWithoutColumn || isMissing(definition, field) || isStaleField(definition, field)) broken.add(field.id);
  }
  const uses = ({ fields, measures }: ReturnType<typeof referencesOf>) =>
    [...fields, ...measures].some((id) => broken.has(id));
  const expressions = [
    ...[...definition.fields.values()].flatMap(({ id, expression }) => (expression ? { id, expression } : [])),
    ...liveMeasures(definition),
  ];
  for (const measure of liveMeasures(definition)) if (!measureAnalysis(definition, measure).ok) broken.add(measure.id);
  for (let size = -1; size !== broken.size; ) {
    size = broken.size;
    for (const { id, expression } of expressions) if (uses(referencesOf(expression))) broken.add(id);
  }
  return broken;
}
