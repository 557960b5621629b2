import { defineRoute } from '../../../../shared/platform/http/route.ts';
import { Alert, AlertParams } from '../schemas.ts';
import {
  AlertFollow,
  AlertHistory,
  AlertPreview,
  HistoryQuery,
  PreviewAlert,
  SnoozeAlert,
  StartedEvaluation,
} from './schemas.ts';

export const previewAlert = defineRoute({
  operationId: 'previewAlert',
  method: 'POST',
  path: '/api/dashboard-alerts/preview',
  summary: 'Check a condition against the past',
  description:
    'Stores and sends nothing; at most ten times a minute for each person. Checks a metric for each of its last complete periods, and datasets for each of their last versions, with current row rights.',
  permission: 'alerts:write',
  body: PreviewAlert,
  success: { status: 200, body: AlertPreview },
  errors: [
    'ALERT_CONDITION_INVALID',
    'ALERT_COLUMN_UNKNOWN',
    'ALERT_COLUMN_NOT_NUMERIC',
    'ALERT_PARAMETER_UNBOUND',
    'RATE_LIMITED',
  ],
});

export const runAlert = defineRoute({
  operationId: 'runAlert',
  method: 'POST',
  path: '/api/dashboard-alerts/{id}/run',
  summary: 'Evaluate an alert now',
  description: 'For editors and the owner, five times an hour. The reply does not wait for the result.',
  permission: 'alerts:write',
  params: AlertParams,
  success: { status: 202, body: StartedEvaluation },
  errors: ['ALERT_NOT_FOUND', 'ALERT_NOT_ACTIVE', 'RATE_LIMITED'],
});

export const listAlertHistory = defineRoute({
  operationId: 'listAlertHistory',
  method: 'GET',
  path: '/api/dashboard-alerts/{id}/history',
  summary: 'List the history of an alert',
  permission: 'alerts:read',
  params: AlertParams,
  query: HistoryQuery,
  success: { status: 200, body: AlertHistory },
  errors: ['ALERT_NOT_FOUND'],
});

export const snoozeAlert = defineRoute({
  operationId: 'snoozeAlert',
  method: 'PUT',
  path: '/api/dashboard-alerts/{id}/snooze',
  summary: 'Snooze an alert',
  description:
    'The alert is still evaluated, but notifies no one. The first evaluation after the snooze reports once what happened meanwhile.',
  permission: 'alerts:write',
  params: AlertParams,
  body: SnoozeAlert,
  success: { status: 200, body: Alert },
  errors: ['ALERT_NOT_FOUND'],
  audit: 'alert.updated',
});

export const followAlert = defineRoute({
  operationId: 'followAlert',
  method: 'PUT',
  path: '/api/dashboard-alerts/{id}/follow',
  summary: 'Follow an alert',
  description: 'Also turns notifications and emails back on after the caller has left the alert.',
  permission: 'alerts:write',
  params: AlertParams,
  success: { status: 200, body: AlertFollow },
  errors: ['ALERT_NOT_FOUND'],
});

export const unfollowAlert = defineRoute({
  operationId: 'unfollowAlert',
  method: 'DELETE',
  path: '/api/dashboard-alerts/{id}/follow',
  summary: 'Leave an alert',
  description: 'The caller is no longer notified, even if the alert names them.',
  permission: 'alerts:write',
  params: AlertParams,
  success: { status: 200, body: AlertFollow },
  errors: ['ALERT_NOT_FOUND'],
});
