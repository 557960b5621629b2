import type { ErrorTable } from '../error-kind.ts';

export const MODEL_ERRORS = {
  MODEL_NOT_FOUND: ['notFound', 'The workspace has no such model. List them with GET /api/models.'],
  MODEL_NAME_TAKEN: ['conflict', 'Another model has this name; case does not matter. Choose a different one.'],
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
    'The change would lift or break row-level security policies. A workspace admin must change or delete what `referencedBy` lists first.',
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
  MODEL_COPY_NOT_FOUND: [
    'notFound',
    'No copy of this kind and id reads a table that the model protects. List copies with GET /api/models/{modelId}/copies.',
  ],
  MODEL_POLICY_NAME_TAKEN: ['conflict', 'Another policy of the model has this name. Choose a different one.'],
  MODEL_MEASURE_NOT_FOUND: [
    'notFound',
    'The model has no such measure. List them with GET /api/models/{modelId}/measures.',
  ],
  MODEL_MEASURE_NAME_TAKEN: [
    'conflict',
    'Another measure of the model has this name; case does not matter. Choose a different one.',
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
  BLEND_NOT_FOUND: ['notFound', 'The workspace has no such blend. List them with GET /api/composite-models.'],
  BLEND_NAME_TAKEN: ['conflict', 'Another blend has this name; case does not matter. Choose a different one.'],
  BLEND_KEY_TYPE: [
    'invalid',
    'The fields of a key have types that do not compare as they are. Set `as` to the type to compare them as, such as the `suggestion`.',
  ],
  BLEND_KEY_TIMEZONE: [
    'invalid',
    'Comparing the fields of a key depends on a time zone. Set `timezone` to an IANA name, such as `Europe/Berlin`.',
  ],
  BLEND_STALE: [
    'conflict',
    'A table or key of the blend is gone or has another type. Correct what `errors` lists with PUT /api/composite-models/{id}.',
  ],
  BLEND_NOT_ADDITIVE: [
    'unprocessable',
    'A `measure` cannot be computed for groups of joined rows without a wrong result, for the reason in `why`. Change the question as `remedy` says.',
  ],
  BLEND_SIDE_FAILED: [
    'invalid',
    'Reading the rows of a `side` failed with the error in `reason`. Correct its source or its table in the model.',
  ],
  BLEND_SIDE_TIMEOUT: [
    'invalid',
    'Reading the rows of a side took too long. Filter it, or allow more time with `timeoutMs`.',
  ],
  BLEND_TOO_LARGE: [
    'invalid',
    'A side has more than 1,000,000 rows, or more than 256 MB come from its database. Filter it, or take fewer columns: rows are never left out.',
  ],
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
} as const satisfies ErrorTable;
