import cliProgress from 'cli-progress';
import type { Api } from './api.ts';

interface Step {
  stepId: string;
  status: string;
  rowsOut?: number | null;
}

const DONE = new Set(['succeeded', 'failed', 'cancelled', 'skipped']);

/** Follows a run on its event stream with a progress bar, and returns its final status. */
export async function followRun(api: Api, runId: string): Promise<string> {
  const bar = new cliProgress.SingleBar(
    { format: '  [{bar}] {value}/{total} steps  {doing}', clearOnComplete: false, hideCursor: true },
    cliProgress.Presets.shades_classic,
  );
  const steps = new Map<string, Step>();
  let started = false;
  const show = () => {
    const all = [...steps.values()];
    if (!started && all.length > 0) {
      bar.start(all.length, 0, { doing: '' });
      started = true;
    }
    if (!started) return;
    const doing = all.filter((step) => step.status === 'running').map((step) => step.stepId);
    bar.update(all.filter((step) => DONE.has(step.status)).length, { doing: doing.join(', ') });
  };

  let status = 'running';
  for await (const { event, data } of api.events(`/api/pipelines/runs/${runId}/events`)) {
    if (event === 'snapshot') {
      for (const step of (data as { steps?: Step[] }).steps ?? []) steps.set(step.stepId, step);
    } else if (event === 'step.status' || event === 'step.progress') {
      const step = data as unknown as Step;
      steps.set(step.stepId, { ...steps.get(step.stepId), ...step });
    } else if (event === 'end') {
      status = String(data.status);
    }
    show();
  }
  if (started) bar.stop();
  return status;
}
