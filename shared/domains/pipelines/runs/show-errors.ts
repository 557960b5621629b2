import type { Principal } from '../../../platform/auth/principal.ts';
import { mayQuoteRows, withoutQuotedRows } from '../../semantics/row-rights/index.ts';
import type { DagStore, StoredRun } from '../store/index.ts';
import { type ShownRowsDeps, tablesHiddenInSteps } from './shown-rows.ts';

export interface ShownErrorsDeps extends ShownRowsDeps {
  dags: Pick<DagStore, 'get' | 'getMany'>;
}

interface Failure {
  code: string;
  message: string;
}

type OfRun = Pick<StoredRun, 'workspaceId' | 'dagHash'>;

/** Replies about runs, for the caller: errors of steps may quote rows, of which the caller may see less than others. */
export interface ShownErrors {
  inRun<R extends OfRun & { error: Failure | null }>(run: R): Promise<R>;
  inSteps<S extends { error: Failure | null }>(run: OfRun, steps: readonly S[]): Promise<S[]>;
}

export function showErrors(deps: ShownErrorsDeps, principal: Principal): ShownErrors {
  const known = new Map<string, Promise<string[]>>();
  const hiddenIn = ({ workspaceId, dagHash }: OfRun): Promise<string[]> => {
    const found =
      known.get(dagHash) ??
      deps.dags.get(workspaceId, dagHash).then((dag) => tablesHiddenInSteps(deps, principal, [dag]));
    known.set(dagHash, found);
    return found;
  };
  const showError = async <E extends Failure>(run: OfRun, error: E | null): Promise<E | null> =>
    error && mayQuoteRows(error) ? withoutQuotedRows(error, await hiddenIn(run)) : error;
  return {
    inRun: async (run) => ({ ...run, error: await showError(run, run.error) }),
    inSteps: (run, steps) =>
      Promise.all(steps.map(async (step) => ({ ...step, error: await showError(run, step.error) }))),
  };
}
