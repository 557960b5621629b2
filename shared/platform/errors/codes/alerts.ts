import type { ErrorTable } from '../error-kind.ts';

export const ALERT_ERRORS = {
  // Alerts
  ALERT_NOT_FOUND: ['notFound', 'The workspace has no such alert. List alerts with GET /api/dashboard-alerts.'],
  ALERT_NAME_TAKEN: ['conflict', 'Another alert of the workspace has this name. Choose another one.'],
  ALERT_NOT_ACTIVE: [
    'conflict',
    'The alert is paused, or has stopped because its owner left. Activate it, or choose another owner.',
  ],
  ALERT_ROWS_OF_ANOTHER: [
    'forbidden',
    'Only the owner of an alert shares their own rows. Become its owner with `ownerId`, or set `runAs` to `recipients`.',
  ],
  ALERT_LIMIT: ['conflict', 'A workspace has at most 500 alerts. Delete some of them.'],
  ALERT_CONDITION_INVALID: [
    'invalid',
    'The condition does not fit what it reads. Correct every place listed in `errors`.',
  ],
  ALERT_COLUMN_UNKNOWN: [
    'invalid',
    'The condition names a column that its source does not have. Correct every place listed in `errors`.',
  ],
  ALERT_COLUMN_NOT_NUMERIC: [
    'invalid',
    'The column has no numbers, so it cannot be compared with a threshold. Choose another column, or `count`.',
  ],
  ALERT_PARAMETER_UNBOUND: [
    'invalid',
    'The saved query needs values for its parameters. Add the values listed in `errors` to `params`.',
  ],
  ALERT_RECIPIENT_NO_ACCESS: [
    'invalid',
    'Some recipients may not see the data that the condition reads. Give them access, or remove those listed in `errors`.',
  ],
  ALERT_TARGET_PROTECTED: [
    'invalid',
    'Targets and addresses outside the workspace cannot get values of protected data, which not all of their readers may see. Remove them.',
  ],
  ALERT_TOO_MANY_ROWS: [
    'invalid',
    'The condition reads more than 5,000 rows. Aggregate them in the query, or filter them.',
  ],
  ALERT_TOO_MANY_GROUPS: ['invalid', 'The column of `by` has more values than its limit. Filter the rows.'],
  ALERT_TOO_MANY_CLASSES: [
    'conflict',
    'The recipients have more than 50 different sets of row rights. Divide them among several alerts.',
  ],
  SCHEDULE_TOO_FREQUENT: [
    'invalid',
    'A schedule must leave at least 15 minutes between two runs. Choose a longer interval.',
  ],
} as const satisfies ErrorTable;
