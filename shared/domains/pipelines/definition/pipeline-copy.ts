import { type Copy, type CopyPlace, copyDefinition } from '../../semantics/row-rights/index.ts';
import type { Dag } from './dag.ts';
import { readsOfDag } from './reads-of-dag.ts';

/** What of a definition decides which rows go where; a schedule or a trigger does not. */
export function copyPlaceOf(pipeline: { workspaceId: string; id: string }, dag: Dag): CopyPlace {
  const { steps, parameters = [], forEach = [] } = dag;
  const { workspaceId, id } = pipeline;
  return { workspaceId, kind: 'pipeline', id, definition: copyDefinition([steps, parameters, forEach]) };
}

/** A pipeline as a copy of what its extracts read. */
export const pipelineCopy = (pipeline: { workspaceId: string; id: string; createdBy: string }, dag: Dag): Copy => ({
  place: copyPlaceOf(pipeline, dag),
  createdBy: async () => pipeline.createdBy,
  reads: readsOfDag(dag),
});
