import type { Api } from '../api.ts';

const LOOK_EVERY_MS = 100;
const LONGEST_MS = 60_000;

/** The newest refresh of a dataset, once it is over. */
export async function endedRefresh(api: Api, datasetId: string) {
  const until = Date.now() + LONGEST_MS;
  for (;;) {
    const { body } = await api.as('viewer').get(`/api/datasets/${datasetId}/history?limit=1`);
    const [job] = body.items;
    if (job && job.status !== 'queued' && job.status !== 'running') return job;
    if (Date.now() > until) throw new Error(`the refresh does not end: ${JSON.stringify(job)}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
