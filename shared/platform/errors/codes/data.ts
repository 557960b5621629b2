import type { ErrorTable } from '../error-kind.ts';

export const DATA_ERRORS = {
  // Data sources
  DATA_SOURCE_NOT_FOUND: ['notFound', 'The workspace has no such data source. List them with GET /api/data-sources.'],
  DATA_SOURCE_NAME_TAKEN: ['conflict', 'Another data source has this name. Choose a different one.'],
  DATA_SOURCE_UNREACHABLE: [
    'unprocessable',
    'The data source could not be read. See `errors` for the reason, and test the connection.',
  ],
  DATA_SOURCE_SYNCING: ['conflict', 'A sync of the data source is already in progress. Wait until it has ended.'],
  DATA_SOURCE_NOT_SYNCED: [
    'conflict',
    'The data source has no catalog yet. Start one with POST /api/data-sources/{id}/sync.',
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
    'The dataset cannot be renamed, because row-level security policies or sensitivity labels refer to it by name, or go by its name for rows of another dataset. Ask a workspace admin to remove them first.',
  ],
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
  TOO_MANY_EXPORT_JOBS: [
    'tooMany',
    'Five exports of the workspace are already waiting or running as jobs. Wait until one has ended.',
  ],
  EXPORT_TOO_SLOW: [
    'timeout',
    'Writing the file takes too long. Export fewer cards, blocks or rows, or try again later.',
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
  RLS_COPY: [
    'forbidden',
    'Row-level security or sensitivity labels hide from you a part of what this reads, and a copy would show it to others. Ask a workspace admin to define it.',
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
    'The workspace has no such dataset or table of a data source. Name a dataset, or `schema.table` of a source whose catalog has been read.',
  ],
  QUALITY_TEST_NOT_FOUND: [
    'notFound',
    'The workspace has no such data-quality test. List them with GET /api/data-quality/tests.',
  ],
  QUALITY_ROWS_NOT_STORED: [
    'conflict',
    'The failing rows of this test cannot be stored as a dataset. The detail has the reason; read the sample of its runs instead.',
  ],
  TOO_MANY_QUALITY_TESTS: ['conflict', 'The workspace already has 1,000 data-quality tests. Delete one first.'],
  QUALITY_TEST_NAME_TAKEN: ['conflict', 'Another test has this name; case does not matter. Choose a different one.'],
  QUALITY_SCAN_NOT_FOUND: [
    'notFound',
    'The workspace has no such scan; old ones are removed. List them with GET /api/data-quality/scans.',
  ],
  QUALITY_SCAN_RUNNING: ['conflict', 'Another scan of the table is active. Wait for its end.'],
  QUALITY_SCAN_SCHEDULE_NOT_FOUND: [
    'notFound',
    'The workspace has no such schedule of scans. List them with GET /api/data-quality/scan-schedules.',
  ],
  QUALITY_SCAN_SCHEDULE_EXISTS: ['conflict', 'Scans of the table already have a schedule. Update that one.'],
  TOO_MANY_SCAN_SCHEDULES: ['conflict', 'The workspace already has 1,000 schedules of scans. Delete one first.'],
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
} as const satisfies ErrorTable;
