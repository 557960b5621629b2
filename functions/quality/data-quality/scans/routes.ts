import { QualityScan } from '../../../../shared/domains/quality/index.ts';
import { defineRoute } from '../../../../shared/platform/http/route.ts';
import {
  AnomalySummary,
  ProfileQuery,
  QualityScanPage,
  ScanListQuery,
  ScanParams,
  StartedScans,
  StartScan,
  TableNameParams,
  TableProfile,
  TableProfileQuery,
} from './schemas.ts';

export const listQualityScans = defineRoute({
  operationId: 'listQualityScans',
  method: 'GET',
  path: '/api/data-quality/scans',
  summary: 'List data-quality scans',
  description: 'Newest first. The last 30 scans of each table are kept.',
  permission: 'quality:read',
  query: ScanListQuery,
  success: { status: 200, body: QualityScanPage },
  errors: ['OFFSET_TOO_LARGE', 'LIST_TOO_LARGE'],
});

export const startQualityScan = defineRoute({
  operationId: 'startQualityScan',
  method: 'POST',
  path: '/api/data-quality/scans',
  summary: 'Start a scan of a table',
  description: 'A job profiles every column. A table has one active scan at most.',
  permission: 'quality:write',
  body: StartScan,
  success: { status: 200, body: QualityScan },
  errors: [
    'QUALITY_TABLE_NOT_FOUND',
    'QUALITY_SCAN_RUNNING',
    'DATA_SOURCE_NOT_FOUND',
    'MODEL_NOT_FOUND',
    'MODEL_TABLE_NOT_FOUND',
  ],
  idempotent: true,
});

export const scanKnownTables = defineRoute({
  operationId: 'scanKnownTables',
  method: 'POST',
  path: '/api/data-quality/scan',
  summary: 'Start a scan of all known tables',
  description:
    'Starts a scan of every dataset with rows, and of every table of a data source that has been scanned before or has an active test; at most 100 at once.',
  permission: 'quality:write',
  success: { status: 200, body: StartedScans },
  errors: ['LIST_TOO_LARGE'],
  idempotent: true,
});

export const getQualityScan = defineRoute({
  operationId: 'getQualityScan',
  method: 'GET',
  path: '/api/data-quality/scans/{scanId}',
  summary: 'Get a data-quality scan',
  permission: 'quality:read',
  params: ScanParams,
  success: { status: 200, body: QualityScan },
  errors: ['QUALITY_SCAN_NOT_FOUND'],
});

export const getScanProfiles = defineRoute({
  operationId: 'getScanProfiles',
  method: 'GET',
  path: '/api/data-quality/scans/{scanId}/profiles',
  summary: 'Get the column profiles of a scan',
  permission: 'quality:read',
  params: ScanParams,
  query: ProfileQuery,
  success: { status: 200, body: TableProfile },
  errors: ['QUALITY_SCAN_NOT_FOUND', 'QUALITY_PROFILE_NOT_FOUND'],
});

export const getTableProfiles = defineRoute({
  operationId: 'getTableProfiles',
  method: 'GET',
  path: '/api/data-quality/profiles/{tableName}',
  summary: 'Get the latest profiles of a table',
  permission: 'quality:read',
  params: TableNameParams,
  query: TableProfileQuery,
  success: { status: 200, body: TableProfile },
  errors: ['QUALITY_TABLE_NOT_FOUND', 'QUALITY_PROFILE_NOT_FOUND', 'DATA_SOURCE_NOT_FOUND'],
});

export const getAnomalySummary = defineRoute({
  operationId: 'getAnomalySummary',
  method: 'GET',
  path: '/api/data-quality/summary',
  summary: 'Get a summary of anomalies',
  description:
    'Compares the newest scan of each table with those of earlier days: the number of rows, and the nulls and means of columns.',
  permission: 'quality:read',
  query: ProfileQuery,
  success: { status: 200, body: AnomalySummary },
});
