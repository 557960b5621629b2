import { type Dag, dependenciesOf, type Step } from './dag.ts';

/** The loads that a step's rows can reach. */
export function loadsBehind(dag: Dag, stepId: string): Step[] {
  const reached = new Set([stepId]);
  for (let before = 0; before < reached.size; ) {
    before = reached.size;
    for (const step of dag.steps) if (dependenciesOf(step).some((id) => reached.has(id))) reached.add(step.id);
  }
  return dag.steps.filter(({ id, type }) => type === 'load' && id !== stepId && reached.has(id));
}
