import { defineRoute } from '../../../shared/platform/http/route.ts';
import { Alert, AlertListQuery, AlertPage, AlertParams, CreateAlert, UpdateAlert } from './schemas.ts';

const SAVE_ERRORS = [
  'ALERT_NAME_TAKEN',
  'ALERT_CONDITION_INVALID',
  'ALERT_COLUMN_UNKNOWN',
  'ALERT_COLUMN_NOT_NUMERIC',
  'ALERT_PARAMETER_UNBOUND',
  'ALERT_RECIPIENT_NO_ACCESS',
  'ALERT_TOO_MANY_CLASSES',
  'SCHEDULE_TOO_FREQUENT',
] as const;

export const listAlerts = defineRoute({
  operationId: 'listAlerts',
  method: 'GET',
  path: '/api/dashboard-alerts',
  summary: 'List alerts',
  description:
    'Those that the caller may edit, is notified by, or follows; editors see all. Newest first. The state is that of the rows that the caller may see.',
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
    'Editors notify others; viewers create alerts for themselves alone. The condition is read once, so that unknown columns, columns without numbers and missing parameters are reported with their place.',
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
    'Editors and the owner. Another condition begins with the state `unknown`. Another owner revives an alert that has stopped.',
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
  description: 'Editors and the owner. Its states and its history are removed.',
  permission: 'alerts:write',
  params: AlertParams,
  success: { status: 204, versioned: true },
  errors: ['ALERT_NOT_FOUND'],
  audit: 'alert.deleted',
});
