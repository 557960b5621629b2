import { alertCleanUps } from '../../../../shared/domains/alerts/rules/index.ts';
import { dashboardCleanUps } from '../../../../shared/domains/boards/dashboards/index.ts';
import { scheduleCleanUps } from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { reportCleanUps } from '../../../../shared/domains/boards/reports/index.ts';
import { termCleanUps, termImportCleanUps } from '../../../../shared/domains/catalog/terms/index.ts';
import { deliveryCleanUps } from '../../../../shared/domains/delivery/deliveries/index.ts';
import { notificationCleanUps } from '../../../../shared/domains/delivery/notifications/index.ts';
import { identityCleanUps } from '../../../../shared/domains/identity/identity-providers/index.ts';
import { passkeyCleanUps } from '../../../../shared/domains/identity/passkeys/index.ts';
import { pipelineCleanUps } from '../../../../shared/domains/pipelines/runs/index.ts';
import { sweepCleanUps } from '../../../../shared/domains/semantics/metric-reports/index.ts';
import { modelCleanUps } from '../../../../shared/domains/semantics/models/index.ts';
import { shareCleanUps } from '../../../../shared/domains/sharing/shares/index.ts';
import { subjectCleanUps } from '../../../../shared/domains/stories/comments/index.ts';
import { snapshotCleanUps } from '../../../../shared/domains/stories/snapshots/index.ts';
import { storyCleanUps } from '../../../../shared/domains/stories/stories/index.ts';
import { storyScheduleCleanUps } from '../../../../shared/domains/stories/story-schedules/index.ts';
import { certificationCleanUps } from '../../../../shared/domains/tenancy/certifications/index.ts';
import { grantCleanUps } from '../../../../shared/domains/tenancy/grants/index.ts';
import { groupCleanUps } from '../../../../shared/domains/tenancy/groups/index.ts';
import { membershipCleanUps } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { CleanUp } from '../../../../shared/platform/storage/clean-ups.ts';

/**
 * What each domain removes when something has ended. Those of one kind take turns in this order: what leads to the rest
 * goes last.
 */
export const CLEAN_UPS: readonly CleanUp[] = [
  ...grantCleanUps,
  ...dashboardCleanUps,
  ...reportCleanUps,
  ...scheduleCleanUps,
  ...shareCleanUps,
  ...deliveryCleanUps,
  ...notificationCleanUps,
  ...alertCleanUps,
  ...pipelineCleanUps,
  ...termCleanUps,
  ...certificationCleanUps,
  ...termImportCleanUps,
  ...storyCleanUps,
  ...storyScheduleCleanUps,
  ...snapshotCleanUps,
  ...subjectCleanUps,
  ...modelCleanUps,
  ...sweepCleanUps,
  ...groupCleanUps,
  ...membershipCleanUps,
  ...passkeyCleanUps,
  ...identityCleanUps,
];
