import { fitsPattern } from '../../../../shared/data/files/path-pattern.ts';
import { watchesOf } from '../../../../shared/domains/pipelines/definition/index.ts';
import type { RunContext } from '../../../../shared/domains/pipelines/store/index.ts';
import { addFiles } from '../../../../shared/domains/pipelines/triggers/index.ts';

/** An object event of the bucket, as EventBridge delivers it. */
export interface ObjectCreated {
  'detail-type': string;
  time: string;
  detail: { object: { key: string; size: number; sequencer: string; 'version-id'?: string } };
}

export const UPLOAD = /^W\/([^/]+)\/uploads\/([^/]+)\/(.+)$/s;

/** SQS delays a message by at most 15 minutes; the minute tick finds batches that are due later. */
const MAX_DELAY_SECONDS = 900;

/** Adds an uploaded file to the batch of every pipeline that waits for it. */
export async function recordArrival(context: RunContext, event: ObjectCreated): Promise<void> {
  const { key, size, sequencer, 'version-id': version } = event.detail.object;
  const [, workspaceId, sourceId, path] = UPLOAD.exec(key) ?? [];
  if (!workspaceId || !sourceId || !path || size === 0 || isTemporary(path)) return;
  const now = context.now();
  const arrivedAt = new Date(Math.min(Date.parse(event.time), now.getTime())).toISOString();
  const file = { path, sequencer, arrivedAt, ...(version === undefined ? {} : { version }) };
  for (const watch of await watchesOf(context.table, workspaceId, sourceId)) {
    if (!fitsPattern(path, watch.path)) continue;
    const of = { workspaceId, sourceId, watch };
    const dueAt = await addFiles(context.table, of, [file], now);
    const delaySeconds = dueAt && Math.ceil((dueAt.getTime() - now.getTime()) / 1000);
    if (delaySeconds === undefined || delaySeconds > MAX_DELAY_SECONDS) continue;
    await context.queue.send([
      { message: { kind: 'file-batch', workspaceId, pipelineId: watch.pipelineId }, delaySeconds },
    ]);
  }
}

/** Names of files that programs do not mean to be read: unfinished files, hidden files and markers. */
function isTemporary(path: string): boolean {
  return path.endsWith('.tmp') || path.split('/').some((name) => name.startsWith('.') || name.startsWith('_'));
}
