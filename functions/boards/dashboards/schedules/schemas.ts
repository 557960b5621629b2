import * as Type from 'typebox';
import { PartId } from '../../../../shared/domains/boards/dashboards/index.ts';
import { DASHBOARD_STOP_REASONS } from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { EXPORT_FORMATS } from '../../../../shared/domains/boards/exports/index.ts';
import { Id, Nullable } from '../../../../shared/platform/http/schemas.ts';
import { filterProperties, scheduleSchemas } from '../../../delivery/schedules/schemas.ts';

const pageId = Nullable(
  Type.Unsafe<string>({ ...PartId, description: 'The page to send; null sends every page that is not hidden.' }),
);

const filters = filterProperties('cards');

export const dashboardScheduleSchemas = scheduleSchemas(
  {
    noun: 'dashboard',
    title: 'Dashboard',
    parts: 'cards',
    stopReasons: DASHBOARD_STOP_REASONS,
    formats: EXPORT_FORMATS,
  },
  {
    object: { dashboardId: Id },
    own: { ...filters.own, pageId },
    defaults: { ...filters.defaults, pageId: Type.Unsafe<string | null>({ ...pageId, default: null }) },
  },
);
