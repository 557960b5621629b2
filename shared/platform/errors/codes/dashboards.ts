import type { ErrorTable } from '../error-kind.ts';

export const DASHBOARD_ERRORS = {
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
  REPORT_SCHEDULE_NOT_FOUND: [
    'notFound',
    'The report has no such delivery schedule. List them with GET /api/reports/{id}/schedules.',
  ],
  REPORT_SCHEDULE_NAME_TAKEN: [
    'conflict',
    'Another delivery schedule of the report has this name; case does not matter. Choose a different one.',
  ],
  REPORT_SCHEDULE_STOPPED: [
    'conflict',
    'The schedule is stopped: its owner has left the workspace, it has no recipients, or its values no longer fit the parameters of the report. Change it with PUT /api/reports/{id}/schedules/{scheduleId}.',
  ],
  TOO_MANY_REPORT_SCHEDULES: ['conflict', 'A report has at most 50 delivery schedules. Delete one first.'],
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
  SHARE_EXPORT_OFF: ['forbidden', 'Downloads are turned off for this link. Ask the sender to allow them.'],
  SHARE_PICTURE_OFF: [
    'forbidden',
    'The preview of this link has no picture. Ask the sender for a link with the preview `picture`.',
  ],
  SHARE_AI_OFF: ['forbidden', 'Questions are turned off for this link. Ask the sender to allow them.'],
  SHARE_AI_SPENT: ['tooMany', 'The limit of questions for this hour is reached. Wait for the time in Retry-After.'],
  SHARE_QUERIES_SPENT: [
    'tooMany',
    'The readers of this link have run as many queries as they may in an hour. Wait for the time in Retry-After, or read without filters of your own.',
  ],
  SHARE_DRAWINGS_SPENT: [
    'tooMany',
    'The readers of this link have had as many pictures drawn as they may in an hour. Wait for the time in Retry-After, or ask for a picture in a size that was drawn before.',
  ],
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
  TOO_MANY_EMBED_DOMAINS: [
    'conflict',
    'The workspace would have more than 100 embed domains, or more than 6,000 characters of them. Delete one first, or allow all subdomains by one such as https://*.example.com.',
  ],
} as const satisfies ErrorTable;
