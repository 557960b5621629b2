import { ScanSchedule } from '../../../../shared/domains/quality/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import {
  CreateScanSchedule,
  ScanSchedulePage,
  ScanScheduleParams,
  ScanScheduleQuery,
  UpdateScanSchedule,
} from './schemas.ts';

export const listScanSchedules = defineRoute({
  operationId: 'listScanSchedules',
  method: 'GET',
  path: '/api/data-quality/scan-schedules',
  summary: 'List schedules of scans',
  description: 'Newest first.',
  permission: 'quality:read',
  query: ScanScheduleQuery,
  success: { status: 200, body: ScanSchedulePage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const createScanSchedule = defineRoute({
  operationId: 'createScanSchedule',
  method: 'POST',
  path: '/api/data-quality/scan-schedules',
  summary: 'Create a schedule of scans',
  description: 'A table has one schedule at most. A scan that falls due while the table is being scanned is skipped.',
  permission: 'quality:write',
  body: CreateScanSchedule,
  success: { status: 201, body: ScanSchedule, versioned: true },
  errors: [
    'QUALITY_SCAN_SCHEDULE_EXISTS',
    'TOO_MANY_SCAN_SCHEDULES',
    'QUALITY_TABLE_NOT_FOUND',
    'DATA_SOURCE_NOT_FOUND',
  ],
  idempotent: true,
  audit: 'quality_scan_schedule.created',
});

export const getScanSchedule = defineRoute({
  operationId: 'getScanSchedule',
  method: 'GET',
  path: '/api/data-quality/scan-schedules/{id}',
  summary: 'Get a schedule of scans',
  permission: 'quality:read',
  params: ScanScheduleParams,
  success: { status: 200, body: ScanSchedule, versioned: true },
  errors: ['QUALITY_SCAN_SCHEDULE_NOT_FOUND'],
});

export const updateScanSchedule = defineRoute({
  operationId: 'updateScanSchedule',
  method: 'PUT',
  path: '/api/data-quality/scan-schedules/{id}',
  summary: 'Update a schedule of scans',
  description: 'Absent members stay as they are; the table cannot be changed.',
  permission: 'quality:write',
  params: ScanScheduleParams,
  body: UpdateScanSchedule,
  success: { status: 200, body: ScanSchedule, versioned: true },
  errors: ['QUALITY_SCAN_SCHEDULE_NOT_FOUND', 'QUALITY_TABLE_NOT_FOUND', 'DATA_SOURCE_NOT_FOUND'],
  audit: 'quality_scan_schedule.updated',
});

export const deleteScanSchedule = defineRoute({
  operationId: 'deleteScanSchedule',
  method: 'DELETE',
  path: '/api/data-quality/scan-schedules/{id}',
  summary: 'Delete a schedule of scans',
  description: 'Earlier scans and profiles stay.',
  permission: 'quality:write',
  params: ScanScheduleParams,
  success: { status: 204, versioned: true },
  errors: ['QUALITY_SCAN_SCHEDULE_NOT_FOUND'],
  audit: 'quality_scan_schedule.deleted',
});
