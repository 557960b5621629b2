import { addRollup, findPart, removeRollup, updateRollup } from '../../../../shared/domains/semantics/models/index.ts';
import type { PageOf } from '../../../../shared/platform/storage/page.ts';
import { type ListCommand, listParts } from '../structure/use-cases.ts';
import { type EditCommand, editModel, type ModelDeps } from '../use-cases/context.ts';
import { showPart } from '../views.ts';
import type { CreateRollup, Rollup, UpdateRollup } from './schemas.ts';

export const listRollups = (deps: ModelDeps, command: ListCommand): Promise<PageOf<Rollup>> =>
  listParts(deps, command, 'rollups', showPart);

export async function createRollup(
  deps: ModelDeps,
  { id, input, ...command }: EditCommand & { id: string; input: CreateRollup },
): Promise<Rollup> {
  const definition = await editModel(deps, command, (before, act) => addRollup(before, { id, ...input }, act));
  return showPart(definition, findPart(definition, 'rollups', id));
}

export async function changeRollup(
  deps: ModelDeps,
  { rollupId: id, change, ...command }: EditCommand & { rollupId: string; change: UpdateRollup },
): Promise<Rollup> {
  const definition = await editModel(deps, command, (before, act) => updateRollup(before, { id, ...change }, act));
  return showPart(definition, findPart(definition, 'rollups', id));
}

export async function deleteRollup(deps: ModelDeps, command: EditCommand & { rollupId: string }): Promise<void> {
  await editModel(deps, command, (definition) => removeRollup(definition, { id: command.rollupId }));
}
