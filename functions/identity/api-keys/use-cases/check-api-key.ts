import { type Attributes, attributeIssues } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';

/** Throws `VALIDATION_FAILED` with every issue that the schema does not express. */
export function requireValid(
  { attributes = {}, expiresAt }: { attributes?: Attributes | undefined; expiresAt?: string | null | undefined },
  { isOfAccount, validUntil = null, now }: { isOfAccount: boolean; validUntil?: string | null | undefined; now: Date },
): void {
  const errors = attributeIssues(attributes);
  if (isOfAccount && Object.keys(attributes).length > 0) {
    const message = 'must be empty: the key has the attributes of its service account';
    errors.push({ pointer: '/attributes', code: 'CONFLICT', message });
  }
  // A value that was given away counts on its end.
  if (expiresAt !== undefined && validUntil !== null && new Date(validUntil) <= now) {
    const message = 'cannot be changed after the key has expired; create another key';
    errors.push({ pointer: '/expiresAt', code: 'EXPIRED', message });
  } else if (expiresAt && new Date(expiresAt) <= now)
    errors.push({ pointer: '/expiresAt', code: 'IN_THE_PAST', message: 'must be in the future' });
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}
