import type { WorkerResources } from './resources.ts';
import { worker as changeEntitlements } from './workers/access/change-entitlements/resources.ts';
import { worker as createOwner } from './workers/access/create-owner/resources.ts';
import { worker as eraseDeleted } from './workers/access/erase-deleted/resources.ts';
import { worker as sendMail } from './workers/access/send-mail/resources.ts';
import { worker as askModel } from './workers/ai/ask-model/resources.ts';
import { worker as captureChanges } from './workers/cdc/capture-changes/resources.ts';
import { worker as engine } from './workers/data/engine/resources.ts';
import { worker as runJob } from './workers/data/run-job/resources.ts';
import { worker as runLifecycle } from './workers/pipelines/run-lifecycle/resources.ts';
import { worker as runStep } from './workers/pipelines/run-step/resources.ts';
import { worker as scheduleTick } from './workers/pipelines/schedule-tick/resources.ts';
import { worker as sendReports } from './workers/reports/send-reports/resources.ts';
import { worker as sendToTargets } from './workers/reports/send-to-targets/resources.ts';
import { worker as deliverWebhook } from './workers/webhooks/deliver-webhook/resources.ts';
import { worker as fanOutEvents } from './workers/webhooks/fan-out-events/resources.ts';

/** Every function without HTTP. The stacks and the bundles use this list. */
export const WORKERS: readonly WorkerResources[] = [
  changeEntitlements,
  createOwner,
  eraseDeleted,
  sendMail,
  askModel,
  captureChanges,
  engine,
  runJob,

  runLifecycle,
  runStep,
  scheduleTick,
  sendReports,
  sendToTargets,
  deliverWebhook,
  fanOutEvents,
];
