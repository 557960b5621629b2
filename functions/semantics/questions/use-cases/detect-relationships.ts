import {
  detectRelationships as detect,
  type QuestionDeps,
} from '../../../../shared/domains/semantics/questions/index.ts';
import type { DetectedRelationships } from '../schemas.ts';

/** Throws the errors of `detectRelationships` of the domain. */
export async function detectRelationships(
  deps: QuestionDeps,
  command: Parameters<typeof detect>[1],
): Promise<DetectedRelationships> {
  const { items, isComplete } = await detect(deps, command);
  return { items, total: items.length, isComplete };
}
