import { previewCondition } from '../../../../shared/domains/alerts/evaluations/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { assertReadable } from '../use-cases/check-alert.ts';
import type { OperationDeps } from './operate-alert.ts';
import type { AlertPreview, PreviewAlert } from './schemas.ts';
import { takesTurn } from './take-turn.ts';

/** Each may read 90 versions of a dataset. */
const MAX_A_MINUTE = 10;
const MINUTE_SECONDS = 60;

/**
 * What the condition would have done, with the rights of the caller. Throws `RATE_LIMITED`, and what checking the
 * condition throws.
 */
export async function previewAlert(
  deps: OperationDeps,
  principal: Principal,
  { condition, timezone = 'UTC', last }: PreviewAlert,
): Promise<AlertPreview> {
  await assertRarely(deps, principal);
  await assertReadable(deps, principal, { condition, timezone });
  const { isOnlyNow, ...preview } = await previewCondition(deps, principal, { condition, timezone, last });
  return { ...preview, note: isOnlyNow ? 'ONLY_NOW' : null };
}

async function assertRarely({ turns, now }: OperationDeps, { workspaceId, userId }: Principal): Promise<void> {
  const at = now();
  const name = `preview#${workspaceId}#${userId}#${at.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length)}`;
  if (await takesTurn(turns, name, { max: MAX_A_MINUTE, seconds: MINUTE_SECONDS })) return;
  const detail = `A person can preview at most ${MAX_A_MINUTE} conditions a minute. Try again after the time in Retry-After.`;
  throw new AppError('RATE_LIMITED', { detail, retryAfterSeconds: MINUTE_SECONDS - at.getUTCSeconds() });
}
