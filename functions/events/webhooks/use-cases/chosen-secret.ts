import { randomBytes } from 'node:crypto';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';

/**
 * The secret for a request: the given one, a generated one, null for none, undefined for no change. Throws if the
 * request has both.
 */
export function chosenSecret(asked: { secret?: string | null; generateSecret?: boolean }): {
  secret: string | null | undefined;
  shown: string | undefined;
} {
  if (!asked.generateSecret) return { secret: asked.secret, shown: undefined };
  if (asked.secret !== undefined) {
    const message = 'cannot be given together with generateSecret';
    throw new AppError('VALIDATION_FAILED', { errors: [{ pointer: '/secret', code: 'CONFLICT', message }] });
  }
  // In the form of Standard Webhooks, which allows keys of 24 to 64 bytes.
  const shown = `whsec_${randomBytes(32).toString('base64')}`;
  return { secret: shown, shown };
}
