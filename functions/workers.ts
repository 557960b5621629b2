import { worker as evaluateAlerts } from './alerts/workers/evaluate-alerts/resources.ts';
import { worker as sendReports } from './delivery/workers/send-reports/resources.ts';
import { worker as sendToTargets } from './delivery/workers/send-to-targets/resources.ts';
import { worker as engine } from './engine/workers/engine/resources.ts';
import { worker as deliverWebhook } from './events/workers/deliver-webhook/resources.ts';
import { worker as fanOutEvents } from './events/workers/fan-out-events/resources.ts';
import { worker as createOwner } from './identity/workers/create-owner/resources.ts';
import { worker as captureChanges } from './pipelines/workers/capture-changes/resources.ts';
import { worker as runLifecycle } from './pipelines/workers/run-lifecycle/resources.ts';
import { worker as runStep } from './pipelines/workers/run-step/resources.ts';
import { worker as askModel } from './platform/workers/ask-model/resources.ts';
import { worker as minuteTick } from './platform/workers/minute-tick/resources.ts';
import { worker as runJob } from './platform/workers/run-job/resources.ts';
import { worker as sendMail } from './platform/workers/send-mail/resources.ts';
import type { WorkerResources } from './resources.ts';
import { worker as joinSides } from './semantics/workers/join-sides/resources.ts';
import { worker as changeEntitlements } from './tenancy/workers/change-entitlements/resources.ts';
import { worker as eraseDeleted } from './tenancy/workers/erase-deleted/resources.ts';

/** Every function without HTTP. The stacks and the bundles use this list. */
export const WORKERS: readonly WorkerResources[] = [
  changeEntitlements,
  createOwner,
  eraseDeleted,
  sendMail,
  askModel,
  captureChanges,
  engine,
  joinSides,
  runJob,

  runLifecycle,
  runStep,
  minuteTick,
  sendReports,
  sendToTargets,
  evaluateAlerts,
  deliverWebhook,
  fanOutEvents,
];
