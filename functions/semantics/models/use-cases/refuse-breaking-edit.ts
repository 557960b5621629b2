import {
  type DescribeRemoval,
  partsLostByEdit,
  refuseBreaking,
} from '../../../../shared/domains/catalog/lineage/index.ts';
import type { Act, Edit, ModelDefinition } from '../../../../shared/domains/semantics/models/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import type { EditCommand, ModelDeps } from './context.ts';

export type RemoveCommand = EditCommand & { principal: Principal; force: boolean };

type Rule = (definition: ModelDefinition, act: Act) => Edit;

/** Throws what the rule throws. */
export function describeEdit(
  { now }: Pick<ModelDeps, 'now'>,
  { modelId, userId }: Pick<EditCommand, 'modelId' | 'userId'>,
  rule: Rule,
): DescribeRemoval {
  return partsLostByEdit(modelId, (definition) => rule(definition, { by: userId, at: now() }));
}

/**
 * Throws `REFERENCED` without `force` if the edit breaks objects that are made of the model. Expressions of the model
 * become stale instead, where its editors see them. What is made at the same moment can break nevertheless, as it does
 * after a change of the source.
 */
export async function refuseBreakingEdit(deps: ModelDeps, command: RemoveCommand, rule: Rule): Promise<void> {
  const { principal, force } = command;
  if (force) return;
  await refuseBreaking(deps.findBroken, principal, describeEdit(deps, command, rule));
}
