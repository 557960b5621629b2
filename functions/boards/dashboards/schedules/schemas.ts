import * as Type from 'typebox';
import { PartId } from '../../../../shared/domains/boards/dashboards/index.ts';
import { DASHBOARD_STOP_REASONS } from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { Id, Nullable } from '../../../../shared/platform/http/schemas.ts';
import { scheduleSchemas } from '../../../delivery/schedules/schemas.ts';

const pageId = Nullable(
  Type.Unsafe<string>({ ...PartId, description: 'The page to send; null sends every page that is not hidden.' }),
);

export const dashboardScheduleSchemas = scheduleSchemas(
  { noun: 'dashboard', title: 'Dashboard', parts: 'cards', stopReasons: DASHBOARD_STOP_REASONS },
  {
    object: { dashboardId: Id },
    own: { pageId },
    defaults: { pageId: Type.Unsafe<string | null>({ ...pageId, default: null }) },
  },
);
