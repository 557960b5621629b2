import { AppError } from '../../../platform/errors/app-error.ts';
import { AddressBlocked, type AddressGuard } from '../../../platform/net/address-guard.ts';
import { webhookSchemes } from '../../../platform/net/guard-from-environment.ts';

/** Checks an address that is saved, at `pointer` in the request. Throws `ADDRESS_BLOCKED`. */
export async function checkTarget(guard: AddressGuard, url: string, pointer = '/url'): Promise<void> {
  try {
    await guard.checkUrl(url, { schemes: webhookSchemes() });
  } catch (cause) {
    if (!(cause instanceof AddressBlocked)) throw cause;
    throw new AppError('ADDRESS_BLOCKED', {
      cause,
      errors: [{ pointer, code: cause.reason, message: cause.message }],
    });
  }
}

export const blockedError = (error: AddressBlocked): 'INVALID_URL' | 'BLOCKED_TARGET' =>
  error.reason === 'INVALID' ? 'INVALID_URL' : 'BLOCKED_TARGET';
