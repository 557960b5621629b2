import { isDeepStrictEqual } from 'node:util';
import { type ModelDefinition, transformsOf } from '../definition/definition.ts';
import { columnIssues, fieldIssues } from '../parts/fields.ts';
import { hierarchyIssues } from '../parts/hierarchies.ts';
import { joinIssues } from '../parts/relationships.ts';
import { rollupIssues } from '../parts/rollups.ts';
import { bindingOf } from '../parts/transforms.ts';
import type { ImportContext } from './context.ts';
import { type ImportedTables, stepPointer } from './tables.ts';
import { viewOf } from './views.ts';

const END_PLACES: Readonly<Record<string, string>> = {
  '/fromTableId': '/from',
  '/fromFieldId': '/from',
  '/toTableId': '/to',
  '/toFieldId': '/to',
};

/** Checks the parts of the file by the rules for each of them. */
export function checkParts(context: ImportContext, definition: ModelDefinition, imported: ImportedTables): void {
  const partPlaceOf = ({ id }: { id: string }) => context.places.get(id)!;
  for (const field of definition.fields.values()) {
    // A field whose column is gone may stay.
    const isMoved = context.definition.fields.get(field.id)?.sourceColumn !== field.sourceColumn;
    const ofColumn = isMoved ? columnIssues(definition, field) : [];
    context.reportAll(partPlaceOf(field), [...fieldIssues(definition, field, undefined), ...ofColumn]);
  }
  for (const relationship of definition.relationships.values()) {
    const issues = joinIssues(definition, relationship);
    if (issues.length === 0 || isLeftAlone(context, relationship.id, issues)) continue;
    context.reportAll(partPlaceOf(relationship), issues, (pointer) => END_PLACES[pointer] ?? pointer);
  }
  for (const hierarchy of definition.hierarchies.values())
    context.reportAll(partPlaceOf(hierarchy), hierarchyIssues(definition, hierarchy), (pointer) =>
      pointer.replace('/tableId', '/table').replace(/\/fieldId$/, '/field'),
    );
  for (const rollup of definition.rollups.values())
    context.reportAll(partPlaceOf(rollup), rollupIssues(definition, rollup), (pointer) =>
      pointer.replace(/\/fieldId$/, '/field').replace(/\/measureId$/, '/measure'),
    );
  for (const [index, { id }] of imported.tables.entries()) checkSteps(context, definition, id, index);
}

/** A relationship may already have issues, after the type of a field has changed. */
function isLeftAlone({ definition }: ImportContext, id: string, issues: readonly object[]): boolean {
  const current = definition.relationships.get(id);
  return current !== undefined && isDeepStrictEqual(joinIssues(definition, current), issues);
}

function checkSteps(context: ImportContext, definition: ModelDefinition, tableId: string, index: number): void {
  const bound = bindingOf(definition, tableId);
  if (!('failed' in bound) || isSameChain(context.definition, definition, tableId)) return;
  const pointer = `${stepPointer(index, bound.failed)}/config`;
  for (const issue of bound.issues) context.report(`${pointer}${issue.pointer}`, issue.code, issue.message);
}

/** Whether a chain that does not fit is as it was, after columns of the source have changed. */
function isSameChain(before: ModelDefinition, after: ModelDefinition, tableId: string): boolean {
  const viewsIn = (definition: ModelDefinition) =>
    transformsOf(definition, tableId).map((step) => viewOf(definition, 'transforms', step));
  return before.tables.has(tableId) && isDeepStrictEqual(viewsIn(before), viewsIn(after));
}
