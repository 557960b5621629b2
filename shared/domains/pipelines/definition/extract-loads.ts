import { type Dag, dependenciesOf, type Step } from './dag.ts';

/** The steps that the rows of a step can reach. */
function stepsDownstreamOf(dag: Dag, stepId: string): Step[] {
  const reached = new Set([stepId]);
  for (let before = 0; before < reached.size; ) {
    before = reached.size;
    for (const step of dag.steps) if (dependenciesOf(step).some((id) => reached.has(id))) reached.add(step.id);
  }
  return dag.steps.filter(({ id }) => id !== stepId && reached.has(id));
}

/** The loads that the rows of a step can reach. */
export function loadsDownstreamOf(dag: Dag, stepId: string): Step[] {
  return stepsDownstreamOf(dag, stepId).filter(({ type }) => type === 'load');
}

/**
 * The loads that may append rows twice: those that share an incremental extract with other loads, or with their own
 * instances for other items of a block. The watermark moves when the last of them has committed; when one fails, the
 * next run reads the same rows again for all of them. Only a retry of the failed run skips the loads that have
 * committed.
 */
export function atLeastOnceLoads(dag: Dag): Set<string> {
  const blockOf = (id: string) => dag.forEach?.find(({ steps }) => steps.includes(id));
  const sharing = new Set<string>();
  for (const extract of dag.steps) {
    if (extract.type !== 'extract' || extract.config.mode !== 'incremental') continue;
    const downstream = stepsDownstreamOf(dag, extract.id);
    const loads = downstream.filter(({ type }) => type === 'load');
    // Rows that enter a block from outside go to every item.
    const isSpread = ({ id }: Step) =>
      blockOf(id) !== undefined &&
      [extract, ...downstream].some((step) => blockOf(step.id) !== blockOf(id) && reaches(step, id));
    for (const load of loads) {
      if (load.config.mode === 'append' && (loads.length > 1 || isSpread(load))) sharing.add(load.id);
    }
  }
  return sharing;

  function reaches(step: Step, id: string): boolean {
    return stepsDownstreamOf(dag, step.id).some((reached) => reached.id === id);
  }
}
