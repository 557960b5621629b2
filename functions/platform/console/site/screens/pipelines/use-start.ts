import { useLocation } from 'preact-iso/router';
import { useAction } from '../../data/action.ts';
import { type Pipeline, requiredParameters } from '../../data/pipelines.ts';
import { startRun } from '../../data/start-run.ts';
import { to } from '../../ui/address.ts';

/** Starts a run and shows it. A pipeline that needs values for its parameters has them asked for instead. */
export function useStart() {
  const { route } = useLocation();
  return useAction(async (pipeline: Pipeline, askValues: () => void) => {
    if (requiredParameters(pipeline.dag).length > 0) return askValues();
    await startRun(pipeline.id, {}, (runId) => route(to(`/runs/${runId}`)));
  });
}
