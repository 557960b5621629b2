import {
  addHierarchy,
  addPolicy,
  addRelationship,
  findPart,
  type ModelDefinition,
  type PartKind,
  type Parts,
  removeHierarchy,
  removePolicy,
  removeRelationship,
  updateHierarchy,
  updatePolicy,
  updateRelationship,
  withoutNames,
} from '../../../../shared/domains/semantics/models/index.ts';
import { type PageOf, pageOf } from '../../../../shared/platform/storage/page.ts';
import { type EditCommand, editModel, type ModelDeps } from '../use-cases/context.ts';
import { type RemoveCommand, refuseBreakingEdit } from '../use-cases/refuse-breaking-edit.ts';
import { showPart, showPolicy } from '../views.ts';
import type {
  CreateHierarchy,
  CreatePolicy,
  CreateRelationship,
  Hierarchy,
  Policy,
  Relationship,
  UpdateHierarchy,
  UpdatePolicy,
  UpdateRelationship,
} from './schemas.ts';

export type ListCommand = { workspaceId: string; modelId: string; limit: number; offset: number; name?: string };
type Create<T> = EditCommand & { id: string; input: T };

/** The parts of a kind, oldest first. */
export async function listParts<K extends PartKind, V>(
  deps: ModelDeps,
  { limit, offset, name, ...place }: ListCommand,
  kind: K,
  view: (definition: ModelDefinition, part: Parts[K]) => V,
): Promise<PageOf<V>> {
  const definition = await deps.definitions.read(place);
  const parts = [...(definition[kind] as ReadonlyMap<string, Parts[K]>).values()].sort(byCreation);
  const wanted = name === undefined ? parts : parts.filter((part) => 'name' in part && part.name === name);
  return pageOf(wanted, { limit, offset }, (part) => view(definition, part));
}

const byCreation = (a: { createdAt: string; id: string }, b: { createdAt: string; id: string }) =>
  `${a.createdAt}${a.id}` < `${b.createdAt}${b.id}` ? -1 : 1;

export const listRelationships = (deps: ModelDeps, command: ListCommand): Promise<PageOf<Relationship>> =>
  listParts(deps, command, 'relationships', showPart);

export async function createRelationship(
  deps: ModelDeps,
  { id, input, ...command }: Create<CreateRelationship>,
): Promise<Relationship> {
  const definition = await editModel(deps, command, (before, act) =>
    addRelationship(before, { id, ...withoutNames(before, input), aiDetected: false }, act),
  );
  return showPart(definition, findPart(definition, 'relationships', id));
}

export async function changeRelationship(
  deps: ModelDeps,
  { relId: id, change, ...command }: EditCommand & { relId: string; change: UpdateRelationship },
): Promise<Relationship> {
  const definition = await editModel(deps, command, (before, act) =>
    updateRelationship(before, { id, ...change }, act),
  );
  return showPart(definition, findPart(definition, 'relationships', id));
}

/** Throws `REFERENCED` without `force` if other objects would break. */
export async function deleteRelationship(deps: ModelDeps, command: RemoveCommand & { relId: string }): Promise<void> {
  const remove = (definition: ModelDefinition) => removeRelationship(definition, { id: command.relId });
  await refuseBreakingEdit(deps, command, remove);
  await editModel(deps, command, remove);
}

export const listHierarchies = (deps: ModelDeps, command: ListCommand): Promise<PageOf<Hierarchy>> =>
  listParts(deps, command, 'hierarchies', showPart);

export async function createHierarchy(
  deps: ModelDeps,
  { id, input, ...command }: Create<CreateHierarchy>,
): Promise<Hierarchy> {
  const definition = await editModel(deps, command, (before, act) =>
    addHierarchy(before, { id, tableId: null, ...input }, act),
  );
  return showPart(definition, findPart(definition, 'hierarchies', id));
}

export async function changeHierarchy(
  deps: ModelDeps,
  { hierId: id, change, ...command }: EditCommand & { hierId: string; change: UpdateHierarchy },
): Promise<Hierarchy> {
  const definition = await editModel(deps, command, (before, act) => updateHierarchy(before, { id, ...change }, act));
  return showPart(definition, findPart(definition, 'hierarchies', id));
}

export async function deleteHierarchy(deps: ModelDeps, command: EditCommand & { hierId: string }): Promise<void> {
  await editModel(deps, command, (definition) => removeHierarchy(definition, { id: command.hierId }));
}

export const listPolicies = (deps: ModelDeps, command: ListCommand): Promise<PageOf<Policy>> =>
  listParts(deps, command, 'policies', showPolicy);

export async function createPolicy(deps: ModelDeps, { id, input, ...command }: Create<CreatePolicy>): Promise<Policy> {
  const definition = await editModel(deps, command, (before, act) => addPolicy(before, { id, ...input }, act));
  return showPolicy(definition, findPart(definition, 'policies', id));
}

export async function changePolicy(
  deps: ModelDeps,
  { policyId: id, change, ...command }: EditCommand & { policyId: string; change: UpdatePolicy },
): Promise<Policy> {
  const definition = await editModel(deps, command, (before, act) => updatePolicy(before, { id, ...change }, act));
  return showPolicy(definition, findPart(definition, 'policies', id));
}

export async function deletePolicy(deps: ModelDeps, command: EditCommand & { policyId: string }): Promise<void> {
  await editModel(deps, command, (definition) => removePolicy(definition, { id: command.policyId }));
}
