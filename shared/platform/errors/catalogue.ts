/**
 * Every error code of the API, with its kind, which determines the HTTP status (`shared/platform/http/problem.ts`), and
 * the message for clients: one sentence that says what is wrong, then how to fix it. A published code keeps its
 * meaning. `docs/errors.md` is generated from this table by `npm run docs`.
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'methodNotAllowed'
  | 'notAcceptable'
  | 'timeout'
  | 'conflict'
  | 'stale'
  | 'tooLarge'
  | 'unsupportedMedia'
  | 'unprocessable'
  | 'tooMany'
  | 'internal'
  | 'unavailable';

export const ERRORS = {
  // The request itself
  INVALID_JSON: [
    'invalid',
    'The request body is not valid JSON. Check its quotes, commas and brackets, and send it as UTF-8.',
  ],
  VALIDATION_FAILED: [
    'invalid',
    'The request does not match the schema of the operation. Correct every place listed in `errors`.',
  ],
  STALE_WRITE: [
    'conflict',
    'Another request changed the record at the same time. Read it again and repeat the change.',
  ],
  PRECONDITION_FAILED: [
    'stale',
    'The record has changed since the revision in If-Match. Read it again and use its new ETag.',
  ],
  CURSOR_INVALID: [
    'invalid',
    'The cursor is not valid. Use the `nextCursor` of the previous page unchanged, or omit it to start over.',
  ],
  CURSOR_MISMATCH: [
    'invalid',
    'The cursor belongs to another list or to other filters. Use it with the request that returned it.',
  ],
  CURSOR_EXPIRED: ['notFound', 'The cursor is older than 24 hours. Start the list again without a cursor.'],
  NOT_ACCEPTABLE: [
    'notAcceptable',
    'The operation offers none of the content types in the Accept header. Ask for application/json.',
  ],
  OFFSET_TOO_LARGE: [
    'invalid',
    'The offset is larger than 10,000. Narrow the list with filters, or page by cursor where offered.',
  ],
  LIST_TOO_LARGE: [
    'invalid',
    'A list of more than 5,000 entries cannot be filtered or sorted this way. Page through it instead.',
  ],
  BODY_TOO_LARGE: [
    'tooLarge',
    'The request body is larger than 1 MiB. Send a smaller one; upload files through a data source.',
  ],
  UNSUPPORTED_MEDIA_TYPE: [
    'unsupportedMedia',
    'The request body is not declared as JSON. Send Content-Type: application/json.',
  ],
  ROUTE_NOT_FOUND: ['notFound', 'There is no such endpoint. Check the path against the reference page at /api/docs.'],
  PAGE_NOT_FOUND: ['notFound', 'The documentation has no such page. See /api/docs/guides for what there is.'],
  METHOD_NOT_ALLOWED: [
    'methodNotAllowed',
    'The endpoint does not support this method. Use one of those in the Allow header.',
  ],
  IDEMPOTENCY_IN_PROGRESS: [
    'conflict',
    'A request with this Idempotency-Key is still running. Repeat it after the time in Retry-After.',
  ],
  IDEMPOTENCY_KEY_REUSED: [
    'unprocessable',
    'This Idempotency-Key was used with a different request. Use a new key for a new request.',
  ],
  INTERNAL: ['internal', 'Something went wrong on our side. Try again; if it persists, report the `requestId`.'],
  SERVICE_BUSY: ['unavailable', 'The service is busy. Try again after the time in Retry-After.'],

  AI_NOT_CONFIGURED: [
    'unavailable',
    'This deployment has no AI provider, or no key for it. Ask the operator to configure one.',
  ],
  AI_ROWS_PROTECTED: [
    'forbidden',
    'Row-level security or a sensitivity label protects the rows, so they are not sent to the AI provider. Summarize a card of unprotected data.',
  ],
  AI_UNAVAILABLE: ['unavailable', 'The AI provider returned no usable answer. Try again later.'],

  // Mail
  MAIL_NOT_CONFIGURED: ['unavailable', 'This deployment sends no email. Ask an admin of your workspace for help.'],

  // Authentication
  UNAUTHENTICATED: [
    'unauthenticated',
    'The request has no valid credentials. Sign in, or send a valid access token or API key.',
  ],
  INVALID_CREDENTIALS: ['unauthenticated', 'The email address or the password is wrong. Correct them and try again.'],
  WRONG_PASSWORD: ['forbidden', 'The current password is wrong. Correct it and try again.'],
  WRONG_CODE: ['forbidden', 'The code is wrong, or was used before. Wait for the next code of the app.'],
  INVALID_MFA_TOKEN: ['unauthenticated', 'The sign-in has expired or was completed. Sign in with the password again.'],
  INVALID_MFA_CODE: ['unauthenticated', 'The code is wrong, or was used before. Wait for the next code of the app.'],
  MFA_ALREADY_ON: ['conflict', 'The second factor is on. Turn it off before setting up another app.'],
  MFA_NOT_ON: ['conflict', 'The second factor is off. Set up an app with POST /api/auth/mfa/enroll.'],
  SESSION_NOT_FOUND: ['notFound', 'You have no such sign-in, or it has ended. List yours with GET /api/auth/sessions.'],
  INVALID_RESET_TOKEN: [
    'unauthenticated',
    'The link is no longer valid: it was used, replaced by a newer one, or is older than 30 minutes. Ask for another email.',
  ],
  INVALID_INVITATION: [
    'unauthenticated',
    'The invitation is no longer valid: it was accepted, deleted or sent again, or it has expired. Ask for another one.',
  ],
  INVALID_REFRESH_TOKEN: ['unauthenticated', 'The refresh token is no longer valid. Sign in again.'],
  FORBIDDEN: [
    'forbidden',
    'Your role or API key does not permit this operation. Ask a workspace admin for a higher role or scope.',
  ],
  PRODUCT_NOT_LICENSED: [
    'forbidden',
    'Your company has no licence for this product. See GET /api/entitlements for what is licensed.',
  ],
  PRODUCT_TURNED_OFF: [
    'forbidden',
    'The operator of the platform has turned this product off. Ask the operator to turn it on; the plan of the company is unchanged.',
  ],
  LICENCE_INVALID: [
    'unprocessable',
    'This deployment does not accept the licence file. Upload the file exactly as it was issued.',
  ],
  LICENCE_OTHER_COMPANY: [
    'unprocessable',
    'The licence was issued for another company. Ask the issuer for a licence with the id of your company; see GET /api/company.',
  ],
  LICENCE_NOT_YET_VALID: [
    'unprocessable',
    'The licence is not valid yet. Upload it again on its first day; until then, the current licence stays in effect.',
  ],
  LICENCE_EXPIRED: ['unprocessable', 'The licence has expired. Ask the issuer for a new one.'],
  LICENCE_NOT_FOUND: ['notFound', 'The company has no licence file. Upload one with PUT /api/entitlements/licence.'],
  TOO_MANY_ATTEMPTS: [
    'tooMany',
    'There were too many attempts to sign in or to reset a password. Wait for the time in Retry-After.',
  ],

  // API keys, workspaces
  TOO_MANY_API_KEYS: ['conflict', 'The workspace already has 500 API keys. Revoke one first.'],
  API_KEY_OF_ANOTHER: [
    'forbidden',
    'The key acts for another person, so only that person may rotate it. Create a key of your own, or one for a service account.',
  ],
  SERVICE_ACCOUNT_NOT_FOUND: [
    'notFound',
    'The workspace has no such service account. List them with GET /api/service-accounts.',
  ],
  SERVICE_ACCOUNT_NAME_TAKEN: [
    'conflict',
    'Another service account has this name; case does not matter. Choose a different one.',
  ],
  TOO_MANY_SERVICE_ACCOUNTS: ['conflict', 'The workspace already has 100 service accounts. Delete one first.'],
  API_KEY_NOT_FOUND: ['notFound', 'The workspace has no such API key. List them with GET /api/api-keys.'],
  MEMBER_NOT_FOUND: ['notFound', 'The workspace has no such member. List them with GET /api/workspaces/members.'],
  MEMBER_EXISTS: ['conflict', 'This person is already a member. Change the role with PATCH instead.'],
  EMAIL_TAKEN: [
    'conflict',
    'This email address already has an account, which cannot be added here. Use another address.',
  ],
  WORKSPACE_DELETED: [
    'forbidden',
    'The workspace is deleted. A company admin can restore it until everything is erased; see GET /api/company/workspaces.',
  ],
  WORKSPACE_NOT_FOUND: [
    'notFound',
    'The company has no such workspace, or it is being erased. List them with GET /api/company/workspaces.',
  ],
  COMPANY_DELETED: [
    'conflict',
    'The company is deleted, so no workspace can be created or restored in it. Restore it first with POST /api/company/restore.',
  ],
  COMPANY_ERASED: [
    'conflict',
    'The company is being erased and can no longer be restored. Ask the operator whether there is a backup.',
  ],
  NAME_NOT_CONFIRMED: [
    'unprocessable',
    'The value of `confirm` is not the current name. Send the exact name of what you want to delete.',
  ],
  COMPANY_MEMBER_NOT_FOUND: ['notFound', 'The company has no such person. List them with GET /api/company/members.'],
  COMPANY_MEMBER_INACTIVE: [
    'conflict',
    'The person is deactivated and cannot become a company admin. Reactivate the person through SCIM first.',
  ],
  LAST_COMPANY_ADMIN: [
    'conflict',
    'A company needs at least one active company admin. Make another person a company admin first, or hand the company over.',
  ],
  INVITATION_NOT_FOUND: [
    'notFound',
    'The workspace has no such invitation. List them with GET /api/workspaces/invitations.',
  ],
  INVITATION_EXISTS: [
    'conflict',
    'This address already has an invitation. Send it again with POST /api/workspaces/invitations/{id}/resend.',
  ],
  TOO_MANY_INVITATIONS: [
    'tooMany',
    'A workspace sends at most five invitations a day to one address, and at most a hundred an hour in all. Wait for the time in Retry-After.',
  ],
  OWN_SECOND_FACTOR: [
    'conflict',
    'This is your own second factor. Turn it off with POST /api/auth/mfa/disable, or ask another company admin.',
  ],
  LAST_ADMIN: ['conflict', 'A workspace needs at least one admin. Make another member an admin first.'],

  // Groups
  GROUP_NOT_FOUND: ['notFound', 'The workspace has no such group. List them with GET /api/groups.'],
  GROUP_NAME_TAKEN: ['conflict', 'Another group has this name; case does not matter. Choose a different one.'],
  GROUP_EXTERNAL_ID_TAKEN: ['conflict', 'Another group has this external id. Change or remove it there first.'],

  // Provisioning (SCIM), also in the form that RFC 7644 prescribes
  SCIM_TOKEN_NOT_FOUND: ['notFound', 'The company has no such SCIM token. List them with GET /api/scim/tokens.'],
  SCIM_TOKEN_LIMIT: ['conflict', 'The workspace already has two SCIM tokens, which is the maximum. Delete one first.'],
  SCIM_RESOURCE_NOT_FOUND: ['notFound', 'There is no such resource. Search for it with a filter.'],
  SCIM_INVALID_FILTER: [
    'invalid',
    'The filter is invalid or not supported. Compare one of the documented attributes with eq.',
  ],
  SCIM_INVALID_SYNTAX: ['invalid', 'The body is not a valid SCIM message. Correct what `detail` names.'],
  SCIM_INVALID_PATH: ['invalid', 'The path of an operation is invalid. Correct what `detail` names.'],
  SCIM_INVALID_VALUE: ['invalid', 'A value is missing or invalid. Correct what `detail` names.'],
  SCIM_NO_TARGET: ['invalid', 'An operation has no target. Give it a path.'],
  SCIM_MUTABILITY: ['invalid', 'The attribute is read-only. Remove it from the request.'],
  SCIM_UNIQUENESS: ['conflict', 'Another resource has this value. Change it there, or use another one.'],

  // Secrets
  SECRET_NOT_FOUND: ['notFound', 'The workspace has no such secret. List them with GET /api/secrets.'],
  SECRET_REFERENCED: [
    'conflict',
    'Pipelines use this secret. Remove it from those in `referencedBy` first, or replace its value.',
  ],
  TOO_MANY_SECRETS: ['conflict', 'The workspace already has 100 secrets. Delete one first.'],

  // Models
  MODEL_NOT_FOUND: ['notFound', 'The workspace has no such model. List them with GET /api/models.'],
  MODEL_NAME_TAKEN: ['conflict', 'Another model has this name; case does not matter. Choose a different one.'],
  MODEL_REFERENCED: ['conflict', 'The model is in use. Change or delete what `referencedBy` lists first.'],
  MODEL_TOO_LARGE: [
    'conflict',
    'The model has reached its maximum number of parts. Remove unused ones, or create another model.',
  ],
  MODEL_TABLE_NOT_FOUND: ['notFound', 'The model has no such table. List them with GET /api/models/{modelId}/tables.'],
  MODEL_ALIAS_TAKEN: [
    'conflict',
    'Another table of the model has this alias; case does not matter. Choose a different one.',
  ],
  MODEL_TABLE_PROTECTED: [
    'conflict',
    'The change would weaken row-level security or a sensitivity label. A workspace admin must change or delete what `referencedBy` lists first.',
  ],
  MODEL_FIELD_NOT_FOUND: [
    'notFound',
    'The table has no such field. List them with GET /api/models/{modelId}/tables/{tableId}/fields.',
  ],
  MODEL_FIELD_NAME_TAKEN: [
    'conflict',
    'Another field of the table has this name; case does not matter. Choose a different one.',
  ],
  MODEL_RELATIONSHIP_NOT_FOUND: [
    'notFound',
    'The model has no such relationship. List them with GET /api/models/{modelId}/relationships.',
  ],
  MODEL_RELATIONSHIP_EXISTS: ['conflict', 'A relationship already joins these two fields. Change that one instead.'],
  MODEL_HIERARCHY_NOT_FOUND: [
    'notFound',
    'The model has no such hierarchy. List them with GET /api/models/{modelId}/hierarchies.',
  ],
  MODEL_HIERARCHY_NAME_TAKEN: ['conflict', 'Another hierarchy of the model has this name. Choose a different one.'],
  MODEL_ROLLUP_NOT_FOUND: [
    'notFound',
    'The model has no such rollup. List them with GET /api/models/{modelId}/rollups.',
  ],
  MODEL_ROLLUP_NAME_TAKEN: ['conflict', 'Another rollup of the model has this name. Choose a different one.'],
  MODEL_POLICY_NOT_FOUND: ['notFound', 'The model has no such policy. List them with GET /api/models/{modelId}/rls.'],
  MODEL_POLICY_NAME_TAKEN: ['conflict', 'Another policy of the model has this name. Choose a different one.'],
  MODEL_MEASURE_NOT_FOUND: [
    'notFound',
    'The model has no such measure. List them with GET /api/models/{modelId}/measures.',
  ],
  MODEL_MEASURE_NAME_TAKEN: [
    'conflict',
    'Another measure of the model has this name; case does not matter. Choose a different one.',
  ],
  MODEL_MEASURE_REFERENCED: [
    'conflict',
    'Other measures or metrics use the measure. Change or delete what `referencedBy` lists first.',
  ],
  QUESTION_UNANSWERABLE: [
    'unprocessable',
    'The model cannot answer this question correctly. Change the question or the model as `errors` says; the guide to questions explains the codes.',
  ],
  MODEL_TRANSFORM_NOT_FOUND: [
    'notFound',
    'The table has no such transform step. List them with GET /api/models/{modelId}/tables/{tableId}/transforms.',
  ],
  MODEL_TRANSFORM_INVALID: [
    'unprocessable',
    'A transform step does not fit the columns that it receives. Correct the step in `stepId`; see `errors`.',
  ],
  MODEL_VERSION_NOT_FOUND: ['notFound', 'The model has no such version. List them with GET /api/models/{id}/versions.'],
  METRIC_NOT_FOUND: ['notFound', 'The workspace has no such metric. List them with GET /api/metrics.'],
  METRIC_NAME_TAKEN: ['conflict', 'Another metric has this name; case does not matter. Choose a different one.'],
  METRIC_STALE: [
    'conflict',
    'The metric no longer fits its model. Correct what `errors` lists, in the metric or in the model.',
  ],
  METRIC_ANOMALY_NOT_FOUND: [
    'notFound',
    'The metric has no such detected anomaly. List them with GET /api/metrics/{id}/detected-anomalies.',
  ],
  METRIC_DIGEST_NOT_FOUND: [
    'notFound',
    'The workspace has no such digest of metrics. List them with GET /api/metrics/digests.',
  ],
  METRIC_DIGEST_NAME_TAKEN: ['conflict', 'Another digest has this name; case does not matter. Choose a different one.'],
  METRIC_DIGEST_STOPPED: [
    'conflict',
    'The digest cannot be sent: its owner has left the workspace, or it has no recipients or metrics left. Change it with PATCH /api/metrics/digests/{id}.',
  ],
  METRIC_DIGEST_RUN_NOT_FOUND: [
    'notFound',
    'The digest has no such run; runs are kept for 90 days. List them with GET /api/metrics/digests/{id}/runs.',
  ],
  UNSUBSCRIBE_LINK_INVALID: [
    'notFound',
    'The unsubscribe link is not valid. Open the link in the email again, or ask the owner of the schedule to remove you.',
  ],
  PUBLISH_GATE: [
    'conflict',
    'The model or dashboard has the issues in `reasons`. Correct them, or let an admin publish with `override` and a reason.',
  ],

  // Dashboards
  DASHBOARD_NOT_FOUND: ['notFound', 'The workspace has no such dashboard. List them with GET /api/dashboards.'],
  DASHBOARD_NAME_TAKEN: ['conflict', 'Another dashboard has this name; case does not matter. Choose a different one.'],
  DASHBOARD_TOO_LARGE: [
    'conflict',
    'The dashboard has reached the maximum number or total size of its pages, cards and filters. Remove some, or create another dashboard.',
  ],
  DASHBOARD_PAGE_NOT_FOUND: [
    'notFound',
    'The dashboard has no such page. List them with GET /api/dashboards/{id}/pages.',
  ],
  DASHBOARD_PAGE_ID_TAKEN: ['conflict', 'The dashboard already has a page with this id. Change that one instead.'],
  DASHBOARD_CARD_NOT_FOUND: [
    'notFound',
    'The dashboard has no such card. List them with GET /api/dashboards/{id}/cards.',
  ],
  DASHBOARD_CARD_ID_TAKEN: ['conflict', 'The dashboard already has a card with this id. Change that one instead.'],
  DASHBOARD_FILTER_NOT_FOUND: [
    'notFound',
    'The dashboard has no such filter. List them with GET /api/dashboards/{id}/filters.',
  ],
  DASHBOARD_VERSION_NOT_FOUND: [
    'notFound',
    'The dashboard has no such version. List them with GET /api/dashboards/{id}/versions.',
  ],
  DASHBOARD_ACCESS_NOT_FOUND: [
    'notFound',
    'The dashboard has no such grant. List them with GET /api/dashboards/{id}/access.',
  ],
  DASHBOARD_SCHEDULE_NOT_FOUND: [
    'notFound',
    'The dashboard has no such delivery schedule. List them with GET /api/dashboards/{id}/schedules.',
  ],
  DASHBOARD_SCHEDULE_NAME_TAKEN: [
    'conflict',
    'Another delivery schedule of the dashboard has this name; case does not matter. Choose a different one.',
  ],
  DASHBOARD_SCHEDULE_STOPPED: [
    'conflict',
    'The schedule is stopped: its owner has left the workspace, it has no recipients, or its page was deleted. Change it with PUT /api/dashboards/{id}/schedules/{scheduleId}.',
  ],
  TOO_MANY_SCHEDULES: ['conflict', 'A dashboard has at most 50 delivery schedules. Delete one first.'],
  ACCESS_EXISTS: ['conflict', 'This member already has a grant. Change it with PUT, or revoke it first.'],
  NOT_A_MEMBER: [
    'invalid',
    'No member of the workspace has this email address. Search members with GET /api/dashboards/{id}/access/candidates.',
  ],
  REPORT_NOT_FOUND: ['notFound', 'The workspace has no such report. List them with GET /api/reports.'],
  REPORT_NAME_TAKEN: ['conflict', 'Another report has this name; case does not matter. Choose a different one.'],
  REPORT_BLOCK_NOT_FOUND: ['notFound', 'The report has no such block. List them with GET /api/reports/{id}.'],
  REPORT_BLOCK_WITHOUT_ROWS: [
    'conflict',
    'The block shows no rows: it is a heading, a text, an image, a divider or a page break. Name a chart, table, KPI or pivot table.',
  ],
  REPORT_BLOCK_UNREADABLE: [
    'unprocessable',
    'The rows of the block cannot be read; `detail` says why. Correct the query, the bindings or the source of the block.',
  ],
  BOOKMARK_NOT_FOUND: ['notFound', 'There is no such bookmark. List them with GET /api/dashboards/{id}/bookmarks.'],
  TOO_MANY_BOOKMARKS: [
    'conflict',
    'A dashboard has at most 100 shared bookmarks, and 100 personal ones of each user. Delete one first.',
  ],
  THEME_NOT_FOUND: ['notFound', 'The workspace has no such theme. List them with GET /api/themes.'],
  THEME_NAME_TAKEN: ['conflict', 'Another theme has this name; case does not matter. Choose a different one.'],
  THEME_IS_DEFAULT: ['conflict', 'The default theme cannot be deleted. Make another theme the default first.'],

  // Share links and embedding
  SHARE_NOT_FOUND: ['notFound', 'There is no such link, or it has ended. Ask the sender for another one.'],
  SHARE_PASSWORD: [
    'unauthenticated',
    'The link requires a password, which is missing or wrong. Ask the sender for the password.',
  ],
  TOO_MANY_PASSWORDS: [
    'tooMany',
    'There were too many wrong passwords for this link from your address. Wait for the time in Retry-After.',
  ],
  RLS_SHARE_REQUIRED: [
    'conflict',
    'Row-level security or sensitivity labels protect what a card reads. Create a link of the type `rls` with the attributes of its readers.',
  ],
  DASHBOARD_NOT_PUBLISHED: [
    'conflict',
    'Links show the published version of a dashboard, and this one has none. Publish it with POST /api/dashboards/{id}/publish.',
  ],
  REPORT_NOT_PUBLISHED: [
    'conflict',
    'Links show published reports, and this one is not. Set `isPublished` with PUT /api/reports/{id}.',
  ],
  SHARE_AI_OFF: ['forbidden', 'Questions are turned off for this link. Ask the sender to allow them.'],
  SHARE_AI_SPENT: ['tooMany', 'The limit of questions for this hour is reached. Wait for the time in Retry-After.'],
  EMBED_TOKEN_NOT_FOUND: [
    'notFound',
    'The workspace has no such embed token, or it has ended. Use the `jti` that POST /api/embed/tokens returned.',
  ],
  EMBED_DOMAIN_NOT_FOUND: [
    'notFound',
    'The workspace has no such embed domain. List them with GET /api/embed/domains.',
  ],
  EMBED_DOMAIN_TAKEN: [
    'conflict',
    'The workspace already has this embed domain. List them with GET /api/embed/domains.',
  ],
  TOO_MANY_EMBED_DOMAINS: ['conflict', 'The workspace already has 100 embed domains. Delete one first.'],

  // Data sources
  DATA_SOURCE_NOT_FOUND: ['notFound', 'The workspace has no such data source. List them with GET /api/data-sources.'],
  DATA_SOURCE_NAME_TAKEN: ['conflict', 'Another data source has this name. Choose a different one.'],
  DATA_SOURCE_REFERENCED: ['conflict', 'The data source is in use. Change or delete what `referencedBy` lists first.'],
  DATA_SOURCE_UNREACHABLE: [
    'unprocessable',
    'The data source could not be read. See `errors` for the reason, and test the connection.',
  ],
  DATA_SOURCE_SYNCING: ['conflict', 'A sync of the data source is already in progress. Wait until it has ended.'],
  DATA_SOURCE_NOT_SYNCED: [
    'conflict',
    'The data source has no catalogue yet. Start one with POST /api/data-sources/{id}/sync.',
  ],
  ADDRESS_BLOCKED: [
    'invalid',
    'The platform may not connect to this address. Use a public one, or ask the operator to allow its network.',
  ],
  TABLE_NOT_FOUND: [
    'notFound',
    'The data source has no such table or file. List them with GET /api/data-sources/{id}/tables.',
  ],
  FILE_NOT_FOUND: [
    'notFound',
    'The data source has no such file. List its files with GET /api/data-sources/{id}/tables.',
  ],
  FILE_UNREADABLE: [
    'unprocessable',
    'The file could not be read in its format. Correct the place named in `errors`, or set `format` and `options`.',
  ],
  UPLOAD_NOT_FOUND: [
    'notFound',
    'There is no open upload with this id for this path. Start a new one with POST …/uploads.',
  ],
  UPLOAD_PARTS_INVALID: [
    'unprocessable',
    'The listed parts do not match the uploaded ones. Send each part number with the ETag that its PUT returned.',
  ],
  UPLOAD_NOT_SUPPORTED: ['conflict', 'Only data sources of type file take uploads. Create one of that type.'],

  // Datasets and queries
  DATASET_NOT_FOUND: ['notFound', 'The workspace has no such dataset. List them with GET /api/datasets.'],
  DATASET_NAME_TAKEN: ['conflict', 'Another dataset has this name. Choose a different one.'],
  DATASET_PROTECTED: [
    'conflict',
    'The dataset cannot be renamed, because row-level security policies or sensitivity labels refer to it by name. Ask a workspace admin to remove them first.',
  ],
  DATASET_REFERENCED: ['conflict', 'The dataset is in use. Change or delete what `referencedBy` lists first.'],
  DATASET_REFRESHING: ['conflict', 'A refresh of the dataset is already in progress. Wait for it, or cancel it first.'],
  DATASET_NOT_REFRESHING: ['conflict', 'No refresh of the dataset is in progress. There is nothing to cancel.'],
  DATASET_HAS_NO_SOURCE: [
    'conflict',
    'The dataset has no source to refresh from. Run the pipeline that loads it, or set `source`.',
  ],
  DATASET_VERSION_NOT_FOUND: [
    'notFound',
    'The dataset has no such version, or it has expired. List them with GET /api/datasets/{id}/versions.',
  ],
  QUERY_JOB_NOT_FOUND: ['notFound', 'There is no such query job, or it has expired after a day. Start it again.'],
  QUERY_JOB_NOT_SUCCEEDED: [
    'conflict',
    'The query job has no result. Wait until its status is succeeded; if it failed, see its `error`.',
  ],
  EXPORT_TURNED_OFF: [
    'forbidden',
    'Exports are turned off for viewers of the workspace. Ask an admin to set `viewersMayExport`, or ask an editor for the file.',
  ],
  CARD_WITHOUT_ROWS: [
    'conflict',
    'The card has no query: it is a text, an image, a fixed value or a divider. Read it with the dashboard.',
  ],
  CARD_UNREADABLE: [
    'unprocessable',
    'The rows of the card cannot be read; `detail` says why. Correct the query or the source of the card.',
  ],
  CHART_SPEC_INVALID: [
    'invalid',
    'The chart does not fit its data. Correct what `errors` lists; each place is a JSON pointer into the chart.',
  ],
  SAVED_QUERY_NOT_FOUND: ['notFound', 'The workspace has no such saved query. List them with GET /api/saved-queries.'],
  SAVED_QUERY_VERSION_NOT_FOUND: [
    'notFound',
    'The saved query has no such version. List them with GET /api/saved-queries/{id}/versions.',
  ],
  SQL_NOT_READ_ONLY: [
    'invalid',
    'The SQL is not a single read-only SELECT or WITH statement. Remove what `errors` lists.',
  ],
  SQL_PARSE: ['invalid', 'The SQL could not be parsed. Correct the position given in `errors`.'],
  SQL_ERROR: ['invalid', 'The SQL statement failed. Correct what `errors` lists.'],
  RLS_RAW_SQL: [
    'forbidden',
    'Row-level security or sensitivity labels limit what you may see of this source, so it cannot be read this way. Query a model instead.',
  ],
  RLS_ERROR: [
    'forbidden',
    'A row-level security policy failed on at least one row, so no rows are returned. Ask a workspace admin to correct the policy.',
  ],
  QUERY_TIMEOUT: [
    'timeout',
    'The query exceeded its time limit. Raise `timeoutMs`, read fewer rows, or run it as a query job.',
  ],
  SOURCE_NOT_QUERYABLE: [
    'conflict',
    'Data sources of this type cannot be queried in place. Load the data into a dataset and query that.',
  ],
  RESULT_TOO_LARGE: [
    'unprocessable',
    'The result is too large for one reply. Ask for fewer rows or columns, or run a query job.',
  ],
  QUERY_TOO_HEAVY: [
    'unprocessable',
    'The query exceeded its memory or file limit. Read fewer rows or columns, or filter by a partition column.',
  ],

  // Jobs
  TOO_MANY_QUERY_JOBS: [
    'tooMany',
    'Five query jobs of the workspace are already waiting or running. Wait until one has ended.',
  ],
  JOB_NOT_FOUND: ['notFound', 'There is no such job, or it has expired. Check the id.'],
  JOB_ACTIVE: ['conflict', 'Another job is already working on this. Wait until it has ended.'],

  // Data quality
  QUALITY_TABLE_NOT_FOUND: [
    'notFound',
    'The workspace has no such dataset or table of a data source. Name a dataset, or `schema.table` of a source whose catalogue has been read.',
  ],
  QUALITY_TEST_NOT_FOUND: [
    'notFound',
    'The workspace has no such data-quality test. List them with GET /api/data-quality/tests.',
  ],
  TOO_MANY_QUALITY_TESTS: ['conflict', 'The workspace already has 1,000 data-quality tests. Delete one first.'],
  QUALITY_TEST_NAME_TAKEN: ['conflict', 'Another test has this name; case does not matter. Choose a different one.'],
  QUALITY_SCAN_NOT_FOUND: [
    'notFound',
    'The workspace has no such scan; old ones are removed. List them with GET /api/data-quality/scans.',
  ],
  QUALITY_SCAN_RUNNING: ['conflict', 'Another scan of the table is active. Wait for its end.'],
  QUALITY_PROFILE_NOT_FOUND: [
    'notFound',
    'The table has no profile yet. Start a scan with POST /api/data-quality/scans and wait until it has finished.',
  ],
  QUALITY_JOB_NOT_FOUND: [
    'notFound',
    'The workspace has no such run of all tests; they are kept for seven days. Start one with POST /api/data-quality/tests/run-all.',
  ],
  QUALITY_SUGGESTION_NOT_FOUND: [
    'notFound',
    'The workspace has no such suggestion, or you may not see all of its table. List the ones that you may see with GET /api/data-quality/suggestions.',
  ],
  QUALITY_SUGGESTION_CLOSED: [
    'conflict',
    'The suggestion is no longer pending: it was applied or dismissed, or it has expired. Define the test with POST /api/data-quality/tests.',
  ],
  QUALITY_ISSUE_NOT_FOUND: [
    'notFound',
    'The workspace has no such data-quality issue. List them with GET /api/data-quality/issues.',
  ],

  // Pipelines
  PIPELINE_NOT_FOUND: ['notFound', 'The workspace has no such pipeline. List them with GET /api/pipelines.'],
  PIPELINE_NAME_TAKEN: ['conflict', 'Another pipeline has this name. Choose a different one.'],
  PIPELINE_CHANGED: [
    'conflict',
    'The pipeline has changed since `expectedUpdatedAt`. Read it again and repeat the change.',
  ],
  PIPELINE_DAG_INVALID: [
    'unprocessable',
    'The pipeline definition is not valid. Correct every place listed in `errors`.',
  ],
  PIPELINE_SCHEDULE_INVALID: ['unprocessable', 'The schedule is not valid. Correct every place listed in `errors`.'],
  PIPELINE_HAS_ACTIVE_RUN: [
    'conflict',
    'A run of the pipeline is queued or running. Cancel it, or wait until it has ended.',
  ],
  PIPELINE_PAUSED: ['conflict', 'The pipeline is paused. Set its `status` to active first.'],
  FLOWLET_NOT_FOUND: ['notFound', 'The workspace has no such flowlet. List them with GET /api/pipelines/flowlets.'],
  FLOWLET_CHANGED: [
    'conflict',
    'The flowlet has changed since `expectedVersion`. Read it again and repeat the change.',
  ],
  FLOWLET_INVALID: ['unprocessable', 'The flowlet is not valid. Correct every place listed in `errors`.'],
  FLOWLET_ARGUMENTS_INVALID: [
    'unprocessable',
    'The arguments do not fit the flowlet. Correct every place listed in `errors`.',
  ],
  STEP_WITHOUT_PREVIEW: [
    'unprocessable',
    'The step does not exist or has no preview. Name a transform, code, route or load step of the definition.',
  ],
  NO_RUN_DATA: [
    'unprocessable',
    'No run of the last 30 days has left the rows that the step reads. Run the pipeline first.',
  ],
  PREVIEW_FAILED: ['unprocessable', 'The step failed on the rows of the last run. Correct what `errors` lists.'],
  SUGGESTION_INPUTS_INVALID: [
    'unprocessable',
    'The inputs or the current operations are not valid. Correct every place listed in `errors`.',
  ],
  OPS_NOT_SUGGESTED: [
    'unprocessable',
    'The model found no valid operations for this description. Rephrase it; `errors` lists what was wrong.',
  ],
  RUN_NOT_FOUND: ['notFound', 'The workspace has no such run. List them with GET /api/pipelines/{id}/runs.'],
  RUN_OVERLAP: [
    'conflict',
    'The pipeline already has as many runs as `maxConcurrentRuns` allows. Wait for one to end, or set `onOverlap`.',
  ],
  RUN_NOT_ACTIVE: ['conflict', 'The run is neither queued nor running. There is nothing to cancel.'],
  RUN_NOT_FAILED: ['conflict', 'The run has not failed, and only failed runs can be retried. Start a new run instead.'],
  RUN_NOT_ENDED: ['conflict', 'The run is still queued or running. Wait for its end, or cancel it first.'],
  RUN_STEP_UNKNOWN: ['invalid', 'The definition of the run has no such step. See the nearest name in `errors`.'],
  LOAD_NOT_REPEATABLE: [
    'conflict',
    'The run has begun to append the rows of a step that would be repeated, so they could be there twice. Repeat from a later step, retry without `fromStep`, or start a new run.',
  ],
  RUN_EXPIRED: ['conflict', 'The run is too old to be retried: the rows of its steps have expired. Start a new run.'],
  RUN_PARAMETERS_INVALID: ['invalid', 'The run parameters are not valid. Correct every place listed in `errors`.'],
  FULL_REFRESH_INVALID: [
    'invalid',
    'A full refresh names steps that do not read incrementally. Correct every place listed in `errors`.',
  ],
  WEBHOOK_TRIGGER_NOT_FOUND: [
    'notFound',
    'The pipeline has no webhook trigger. Add `trigger: {"kind": "webhook"}` to its definition.',
  ],
  WEBHOOK_TOKEN_INVALID: [
    'unauthenticated',
    'The token does not belong to this pipeline. Get the current URL with GET /api/pipelines/{id}/webhook.',
  ],
  TRIGGER_BODY_TOO_LARGE: [
    'tooLarge',
    'The body of the webhook trigger is larger than 256 KiB. Send a reference to the data instead.',
  ],
  STEP_LOG_NOT_FOUND: ['notFound', 'The run has no such step or attempt. See the steps of the run for their attempts.'],
  BACKFILL_WINDOW_INVALID: [
    'unprocessable',
    'The backfill window is not valid. Correct every place listed in `errors`.',
  ],
  BACKFILL_OVERLAP: ['conflict', 'A backfill in progress covers some of these dates. Wait for it, or cancel it first.'],
  BACKFILL_ACTIVE: ['tooMany', 'Another backfill of the pipeline is in progress. Wait for it, or cancel it first.'],
  BACKFILL_NOT_ACTIVE: ['conflict', 'No backfill of the pipeline is in progress. There is nothing to cancel.'],
  QUEUE_FULL: ['tooMany', 'Too many runs are already waiting. Wait until some have started, or cancel some.'],
  RATE_LIMITED: ['tooMany', 'Too many runs were started in this minute. Try again after the time in Retry-After.'],
  ALLOWANCE_EXHAUSTED: [
    'tooMany',
    'The monthly allowance of the plan is used up. Wait for the next month, or raise the allowance.',
  ],
  WORKER_UNAVAILABLE: [
    'unavailable',
    'The workers did not respond, so nothing was started. Try again after the time in Retry-After.',
  ],

  // CDC streams
  CDC_STREAM_NOT_FOUND: [
    'notFound',
    'The workspace has no such CDC stream. List them with GET /api/pipelines/cdc-streams.',
  ],
  CDC_STREAM_ID_TAKEN: [
    'conflict',
    'The data source already has a CDC stream with this `streamId`. Choose a different one.',
  ],
  CDC_STREAM_DELETING: ['conflict', 'The CDC stream is being deleted. Create a new one if you still need it.'],
  CDC_TABLE_UNKNOWN: ['unprocessable', 'The CDC stream does not follow this table. Add it to `tables` first.'],
  SOURCE_NOT_CAPTURABLE: [
    'unprocessable',
    'Only data sources of type postgres support CDC streams. Use one of that type.',
  ],
  SOURCE_NOT_READY: ['unprocessable', 'The data source is not set up for CDC. Run the SQL given in `errors` on it.'],

  // Passkeys
  PASSKEY_NOT_FOUND: ['notFound', 'The user has no such passkey. List them with GET /api/auth/passkeys.'],
  PASSKEY_REJECTED: [
    'invalid',
    'The new passkey could not be verified. Request new options, and create the passkey on a page of the application.',
  ],
  TOO_MANY_PASSKEYS: ['conflict', 'The user already has 10 passkeys. Remove one first.'],
  INVALID_PASSKEY: [
    'unauthenticated',
    'The sign-in with the passkey failed. Request new options and try again, or sign in another way.',
  ],

  // Single sign-on
  IDENTITY_PROVIDER_NOT_FOUND: [
    'notFound',
    'There is no such identity provider, or it is turned off. List those of the company with GET /api/identity-providers.',
  ],
  SLUG_TAKEN: ['conflict', 'Another identity provider of the deployment has this slug. Choose a different one.'],
  TOO_MANY_IDENTITY_PROVIDERS: ['conflict', 'The company already has 20 identity providers. Delete one first.'],
  SAML_METADATA_INVALID: [
    'unprocessable',
    'The metadata of the identity provider cannot be used. Check `metadataUrl` or `metadata`, or send `entityId`, `ssoUrl` and `certificates`.',
  ],
  IDENTITY_PROVIDER_UNREACHABLE: [
    'unavailable',
    'The identity provider did not answer as expected. Try again, and test it with POST /api/identity-providers/{id}/test.',
  ],
  DOMAIN_NOT_LISTED: ['notFound', 'The identity provider has no such domain. Add it to `domains` first.'],
  DOMAIN_NOT_PROVEN: [
    'unprocessable',
    'The TXT record of the domain was not found. Create it as shown in `domains`, and try again once it is published.',
  ],
  DOMAIN_TAKEN: [
    'conflict',
    'Another company has proven this domain, and its TXT record is still there. Remove that record first.',
  ],
  IDENTITY_NOT_FOUND: ['notFound', 'The user has no identity at this provider. There is nothing to remove.'],
  RETURN_URL_NOT_ALLOWED: [
    'invalid',
    'A sign-in cannot return to this address. Ask the operator to add it to the setting SSO_RETURN_URLS.',
  ],
  SSO_STATE_INVALID: [
    'invalid',
    'The sign-in has expired, was completed before, or was started elsewhere. Start it again from the application.',
  ],
  SSO_CODE_INVALID: [
    'unauthenticated',
    'The code of the sign-in has expired, was used before, or belongs to another client. Start the sign-in again.',
  ],
  SSO_REQUIRED: [
    'forbidden',
    'Your company signs in through its identity provider. Manage the password there, or ask a company admin.',
  ],
  SSO_NOT_READY: [
    'unprocessable',
    'With enforcement, members could not sign in. Turn on an identity provider with a verified domain first.',
  ],

  // Webhooks
  TOO_MANY_WEBHOOKS: ['conflict', 'The workspace already has 200 webhooks. Delete one first.'],
  WEBHOOK_NOT_FOUND: ['notFound', 'The workspace has no such webhook. List them with GET /api/webhooks.'],
  WEBHOOK_DISABLED: ['conflict', 'The webhook is disabled. Enable it first.'],
  DELIVERY_NOT_FOUND: [
    'notFound',
    'There is no such delivery, or it has expired after 30 days. List them with GET /api/webhooks/{id}/deliveries.',
  ],
  DELIVERY_UNDER_WAY: [
    'conflict',
    'The delivery is still in progress. Wait until it has been delivered or has failed.',
  ],
  REPLAY_TOO_LARGE: ['unprocessable', 'More than 10,000 deliveries fall into this period. Replay shorter periods.'],
  TOO_MANY_REDELIVERIES: [
    'tooMany',
    'Too many redeliveries were requested in this minute. Try again after the time in Retry-After.',
  ],
} as const satisfies Record<string, readonly [ErrorKind, string]>;

export type ErrorCode = keyof typeof ERRORS;

export function errorKind(code: ErrorCode): ErrorKind {
  return ERRORS[code][0];
}
