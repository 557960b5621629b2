import {
  addTransform,
  findOfTable,
  findPart,
  type ModelDefinition,
  removeTransform,
  reorderTransforms,
  transformsOf,
  updateTransform,
} from '../../../../shared/domains/semantics/models/index.ts';
import { type EditCommand, editModel, type ModelDeps } from '../use-cases/context.ts';
import { type RemoveCommand, refuseBreakingEdit } from '../use-cases/refuse-breaking-edit.ts';
import { showTransform } from '../views.ts';
import type { CreateTransform, Transform, TransformList, UpdateTransform } from './schemas.ts';

type OfTable = EditCommand & { tableId: string };
type ChangeOfTable = RemoveCommand & { tableId: string };

export async function listTransforms(deps: ModelDeps, { tableId, ...place }: OfTable): Promise<TransformList> {
  const definition = await deps.definitions.read(place);
  findPart(definition, 'tables', tableId);
  return listIn(definition, tableId);
}

export async function createTransform(
  deps: ModelDeps,
  { id, tableId, input, ...command }: ChangeOfTable & { id: string; input: CreateTransform },
): Promise<Transform> {
  const definition = await editSteps(deps, command, (before, act) =>
    addTransform(before, { id, tableId, ...input }, act),
  );
  return showTransform(definition, findOfTable(definition, 'transforms', { tableId, id }));
}

export async function changeTransform(
  deps: ModelDeps,
  { transformId: id, tableId, change, ...command }: ChangeOfTable & { transformId: string; change: UpdateTransform },
): Promise<Transform> {
  const definition = await editSteps(deps, command, (before, act) =>
    updateTransform(before, { id, tableId, ...change }, act),
  );
  return showTransform(definition, findOfTable(definition, 'transforms', { tableId, id }));
}

export async function deleteTransform(
  deps: ModelDeps,
  { transformId: id, tableId, ...command }: ChangeOfTable & { transformId: string },
): Promise<TransformList> {
  const definition = await editSteps(deps, command, (before, act) => removeTransform(before, { id, tableId }, act));
  return listIn(definition, tableId);
}

export async function orderTransforms(
  deps: ModelDeps,
  { tableId, orderedIds, ...command }: ChangeOfTable & { orderedIds: readonly string[] },
): Promise<TransformList> {
  const definition = await editSteps(deps, command, (before, act) =>
    reorderTransforms(before, { tableId, orderedIds }, act),
  );
  return listIn(definition, tableId);
}

/** Steps may take columns away. Throws `REFERENCED` without `force` if other objects would break. */
async function editSteps(deps: ModelDeps, command: RemoveCommand, rule: Parameters<typeof editModel>[2]) {
  await refuseBreakingEdit(deps, command, rule);
  return editModel(deps, command, rule);
}

function listIn(definition: ModelDefinition, tableId: string): TransformList {
  const items = transformsOf(definition, tableId).map((step) => showTransform(definition, step));
  return { items, total: items.length };
}
