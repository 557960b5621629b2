import { ALERT_SUBJECT } from '../../alerts/recipients/index.ts';
import { DASHBOARD_SUBJECT } from '../../boards/dashboards/index.ts';
import { REPORT_SUBJECT } from '../../boards/reports/index.ts';
import { TERM_SUBJECT } from '../../catalog/terms/index.ts';
import { PIPELINE_SUBJECT } from '../../pipelines/store/index.ts';
import { METRIC_SUBJECT } from '../../semantics/metrics/index.ts';
import { MODEL_SUBJECT } from '../../semantics/models/index.ts';
import { SAVED_QUERY_SUBJECT } from '../../semantics/saved-queries/index.ts';
import { STORY_SUBJECT } from '../../stories/stories/index.ts';
import type { SubjectKind } from '../../tenancy/subjects/index.ts';
import { DATASET_SUBJECT } from '../../warehouse/datasets/index.ts';

/** Every kind of object that people comment on. */
export const SUBJECT_KINDS: readonly SubjectKind[] = [
  DASHBOARD_SUBJECT,
  REPORT_SUBJECT,
  MODEL_SUBJECT,
  METRIC_SUBJECT,
  SAVED_QUERY_SUBJECT,
  DATASET_SUBJECT,
  STORY_SUBJECT,
];

/** Every kind of object that people are notified about. */
export const NOTIFIED_KINDS: readonly SubjectKind[] = [...SUBJECT_KINDS, ALERT_SUBJECT, PIPELINE_SUBJECT, TERM_SUBJECT];
