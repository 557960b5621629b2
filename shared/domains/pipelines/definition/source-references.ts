import type { Dag } from './dag.ts';
import { fileTriggerOf } from './file-watches.ts';

/** One transaction saves a pipeline, with an item for each source and secret that its old or new definition names. */
export const MAX_REFERENCES = 30;

export interface SourceReference {
  sourceId: string;
  pointer: string;
}

/**
 * The data sources that a definition names, and where: steps read from them or load into them, a trigger waits for
 * their files.
 */
export function sourcesOf(dag: Dag | undefined): SourceReference[] {
  if (!dag) return [];
  const found: SourceReference[] = [];
  const add = (holder: unknown, pointer: string) => {
    const sourceId =
      typeof holder === 'object' && holder !== null && 'sourceId' in holder ? holder.sourceId : undefined;
    if (typeof sourceId === 'string') found.push({ sourceId, pointer: `${pointer}/sourceId` });
  };
  for (const [index, { config }] of dag.steps.entries()) {
    add(config, `/dag/steps/${index}/config`);
    add((config as { target?: unknown }).target, `/dag/steps/${index}/config/target`);
  }
  add(fileTriggerOf(dag), '/dag/trigger');
  return found;
}

export const unknownSource = ({ sourceId, pointer }: SourceReference) => ({
  pointer,
  code: 'SOURCE_UNKNOWN',
  message: `No data source of the workspace has the id ${sourceId}.`,
});
