import { defineRoute } from '../../../shared/platform/http/route.ts';
import { Alert, AlertListQuery, AlertPage, AlertParams, CreateAlert, UpdateAlert } from './schemas.ts';

const SAVE_ERRORS = [
  'ALERT_NAME_TAKEN',
  'ALERT_CONDITION_INVALID',
  'ALERT_COLUMN_UNKNOWN',
  'ALERT_COLUMN_NOT_NUMERIC',
  'ALERT_PARAMETER_UNBOUND',
  'ALERT_RECIPIENT_NO_ACCESS',
  'ALERT_TARGET_PROTECTED',
  'ALERT_ROWS_OF_ANOTHER',
  'ADDRESS_BLOCKED',
  'ALERT_TOO_MANY_CLASSES',
  'SCHEDULE_TOO_FREQUENT',
] as const;

export const listAlerts = defineRoute({
  operationId: 'listAlerts',
  method: 'GET',
  path: '/api/dashboard-alerts',
  summary: 'List alerts',
  description:
    'Lists the alerts that the caller may edit, is notified by, or follows, newest first; editors see all alerts. The state is for the rows that the caller may see.',
  permission: 'alerts:read',
  query: AlertListQuery,
  success: { status: 200, body: AlertPage },
});

export const createAlert = defineRoute({
  operationId: 'createAlert',
  method: 'POST',
  path: '/api/dashboard-alerts',
  summary: 'Create an alert',
  description:
    'Editors can notify others; viewers can create alerts only for themselves. The condition is evaluated once: the reply points to unknown columns, columns without numbers, and missing parameters.',
  permission: 'alerts:write',
  body: CreateAlert,
  success: { status: 201, body: Alert, versioned: true },
  errors: [...SAVE_ERRORS, 'ALERT_LIMIT'],
  idempotent: true,
  audit: 'alert.created',
});

export const getAlert = defineRoute({
  operationId: 'getAlert',
  method: 'GET',
  path: '/api/dashboard-alerts/{id}',
  summary: 'Get an alert',
  permission: 'alerts:read',
  params: AlertParams,
  success: { status: 200, body: Alert, versioned: true },
  errors: ['ALERT_NOT_FOUND'],
});

export const updateAlert = defineRoute({
  operationId: 'updateAlert',
  method: 'PUT',
  path: '/api/dashboard-alerts/{id}',
  summary: 'Update an alert',
  description:
    'For editors and the owner. A new condition starts with the state `unknown`. A new owner restarts a stopped alert.',
  permission: 'alerts:write',
  params: AlertParams,
  body: UpdateAlert,
  success: { status: 200, body: Alert, versioned: true },
  errors: ['ALERT_NOT_FOUND', ...SAVE_ERRORS],
  audit: 'alert.updated',
});

export const deleteAlert = defineRoute({
  operationId: 'deleteAlert',
  method: 'DELETE',
  path: '/api/dashboard-alerts/{id}',
  summary: 'Delete an alert',
  description: 'For editors and the owner. Deletes the alert with its states and its history.',
  permission: 'alerts:write',
  params: AlertParams,
  success: { status: 204, versioned: true },
  errors: ['ALERT_NOT_FOUND'],
  audit: 'alert.deleted',
});
