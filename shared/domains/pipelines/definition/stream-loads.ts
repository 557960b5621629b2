import type { Issue } from '../../../platform/errors/app-error.ts';
import type { CDC_COLUMNS } from '../cdc/index.ts';
import { type Dag, dependenciesOf, type Step } from './dag.ts';

const DELETED: (typeof CDC_COLUMNS)[number] = '_cdc_deleted';

/** Reports merges that wait for deleted rows of a CDC stream, but read all of its rows, among which there are none. */
export function streamLoadIssues(dag: Dag): Issue[] {
  const steps = new Map(dag.steps.map((step) => [step.id, step]));
  return dag.steps.flatMap((load, index) => {
    const { deleteColumn } = load.config;
    if (load.type !== 'load' || typeof deleteColumn !== 'string' || deleteColumn.toLowerCase() !== DELETED) return [];
    const extracts = extractsBefore(load, steps).filter(readsStreamOf);
    const [full] = extracts;
    if (!full || extracts.some(({ config }) => config.mode === 'incremental')) return [];
    const message = `The extract "${full.id}" reads the stream in mode full, which has no deleted rows, so nothing would ever be deleted. Set its mode to incremental, or remove deleteColumn and load with mode overwrite.`;
    return [{ pointer: `/dag/steps/${index}/config/deleteColumn`, code: 'NOT_ALLOWED', message }];
  });
}

export const readsStreamOf = ({ config }: Step): boolean =>
  typeof config.object === 'object' && config.object !== null && 'stream' in config.object;

function extractsBefore(step: Step, steps: ReadonlyMap<string, Step>): Step[] {
  const reached = new Set<Step>();
  const visit = (each: Step): void => {
    if (reached.has(each)) return;
    reached.add(each);
    for (const id of dependenciesOf(each)) {
      const before = steps.get(id);
      if (before) visit(before);
    }
  };
  visit(step);
  return [...reached].filter(({ type }) => type === 'extract');
}
