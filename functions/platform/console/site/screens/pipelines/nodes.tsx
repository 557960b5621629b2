import type { Step } from '../../data/pipelines.ts';
import type { GraphEdge, GraphNode } from '../../ui/graph.tsx';
import { stepInWords } from './step-words.ts';

/** A step in the graph. */
export const nodeOf = (step: Pick<Step, 'id' | 'type'> & { config: unknown }): GraphNode => ({
  id: step.id,
  title: step.id,
  content: (
    <>
      <span class="node-name">{step.id}</span>
      <span class="node-hint">{stepInWords(step)}</span>
    </>
  ),
});

/** What each step waits for. Steps that do not exist have no place in the graph. */
export function edgesOf(steps: readonly Pick<Step, 'id' | 'dependsOn'>[]): GraphEdge[] {
  const known = new Set(steps.map(({ id }) => id));
  return steps.flatMap(({ id, dependsOn = [] }) =>
    [...new Set(dependsOn)].filter((from) => known.has(from)).map((from) => ({ from, to: id })),
  );
}
