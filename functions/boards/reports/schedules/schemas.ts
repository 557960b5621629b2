import * as Type from 'typebox';
import { REPORT_STOP_REASONS } from '../../../../shared/domains/boards/delivery-schedules/index.ts';
import { EXPORT_FORMATS } from '../../../../shared/domains/boards/exports/index.ts';
import { type GivenParameter, readingReport } from '../../../../shared/domains/boards/reports/index.ts';
import { Id } from '../../../../shared/platform/http/schemas.ts';
import { filterProperties, scheduleSchemas } from '../../../delivery/schedules/schemas.ts';

const { default: _none, ...shown } = readingReport.parameters as typeof readingReport.parameters & { default: unknown };
const parameters = Type.Unsafe<GivenParameter[]>(shown);

const filters = filterProperties('blocks');

export const reportScheduleSchemas = scheduleSchemas(
  { noun: 'report', title: 'Report', parts: 'blocks', stopReasons: REPORT_STOP_REASONS, formats: EXPORT_FORMATS },
  {
    object: { reportId: Id },
    own: { ...filters.own, parameters },
    defaults: { ...filters.defaults, parameters: Type.Unsafe<GivenParameter[]>({ ...parameters, default: [] }) },
  },
);
