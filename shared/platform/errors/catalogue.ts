import { ALERT_ERRORS } from './codes/alerts.ts';
import { CATALOG_ERRORS } from './codes/catalog.ts';
import { COMMENT_ERRORS } from './codes/comments.ts';
import { DASHBOARD_ERRORS } from './codes/dashboards.ts';
import { DATA_ERRORS } from './codes/data.ts';
import { LINEAGE_ERRORS } from './codes/lineage.ts';
import { MODEL_ERRORS } from './codes/models.ts';
import { PIPELINE_ERRORS } from './codes/pipelines.ts';
import { REQUEST_ERRORS } from './codes/request.ts';
import { SIGN_IN_ERRORS } from './codes/sign-in.ts';
import { STORY_ERRORS } from './codes/stories.ts';
import { WEBHOOK_ERRORS } from './codes/webhooks.ts';
import { WORKSPACE_ERRORS } from './codes/workspaces.ts';
import type { ErrorKind } from './error-kind.ts';

export type { ErrorKind } from './error-kind.ts';

/**
 * Every error code of the API, with its kind, which determines the HTTP status (`shared/platform/http/problem.ts`), and
 * the message for clients: one sentence that says what is wrong, then how to fix it. A published code keeps its
 * meaning. `docs/errors.md` is generated from these tables by `npm run docs`.
 */
export const ERRORS = {
  ...REQUEST_ERRORS,
  ...SIGN_IN_ERRORS,
  ...WORKSPACE_ERRORS,
  ...MODEL_ERRORS,
  ...DASHBOARD_ERRORS,
  ...COMMENT_ERRORS,
  ...STORY_ERRORS,
  ...ALERT_ERRORS,
  ...CATALOG_ERRORS,
  ...LINEAGE_ERRORS,
  ...DATA_ERRORS,
  ...PIPELINE_ERRORS,
  ...WEBHOOK_ERRORS,
};

export type ErrorCode = keyof typeof ERRORS;

export function errorKind(code: ErrorCode): ErrorKind {
  return ERRORS[code][0];
}
