import { type Dag, dependenciesOf, type Step } from './dag.ts';

/** The steps that a step's rows can reach. */
function stepsBehind(dag: Dag, stepId: string): Step[] {
  const reached = new Set([stepId]);
  for (let before = 0; before < reached.size; ) {
    before = reached.size;
    for (const step of dag.steps) if (dependenciesOf(step).some((id) => reached.has(id))) reached.add(step.id);
  }
  return dag.steps.filter(({ id }) => id !== stepId && reached.has(id));
}

/** The loads that a step's rows can reach. */
export function loadsBehind(dag: Dag, stepId: string): Step[] {
  return stepsBehind(dag, stepId).filter(({ type }) => type === 'load');
}

/**
 * The loads that may append rows a second time: those that share an incremental extract with other loads, or with themselves
 * in other items of a block. The extract goes on when the last of them has its rows; where one fails, the next run reads
 * them again for all. Only a retry of the failed run brings them to those alone that lack them.
 */
export function sharingAppends(dag: Dag): Set<string> {
  const blockOf = (id: string) => dag.forEach?.find(({ steps }) => steps.includes(id));
  const sharing = new Set<string>();
  for (const extract of dag.steps) {
    if (extract.type !== 'extract' || extract.config.mode !== 'incremental') continue;
    const behind = stepsBehind(dag, extract.id);
    const loads = behind.filter(({ type }) => type === 'load');
    // Rows that come into a block from outside of it go to every item.
    const isSpread = ({ id }: Step) =>
      blockOf(id) !== undefined &&
      [extract, ...behind].some((step) => blockOf(step.id) !== blockOf(id) && reaches(step, id));
    for (const load of loads) {
      if (load.config.mode === 'append' && (loads.length > 1 || isSpread(load))) sharing.add(load.id);
    }
  }
  return sharing;

  function reaches(step: Step, id: string): boolean {
    return stepsBehind(dag, step.id).some((reached) => reached.id === id);
  }
}
