import { previewCondition } from '../../../../shared/domains/alerts/evaluations/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { assertReadable } from '../use-cases/check-alert.ts';
import type { AlertDeps } from '../use-cases/context.ts';
import type { AlertPreview, PreviewAlert } from './schemas.ts';

/** What the condition would have done, with the rights of the caller. Throws what checking the condition throws. */
export async function previewAlert(
  deps: AlertDeps,
  principal: Principal,
  { condition, timezone = 'UTC', last }: PreviewAlert,
): Promise<AlertPreview> {
  await assertReadable(deps, principal, { condition, timezone });
  const { isOnlyNow, ...preview } = await previewCondition(deps, principal, { condition, timezone, last });
  return { ...preview, note: isOnlyNow ? 'ONLY_NOW' : null };
}
