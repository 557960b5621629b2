import { AppError } from '../../platform/errors/app-error.ts';

/** The zone under the name that every library knows it by. Throws VALIDATION_FAILED for what is no IANA name. */
export function knownTimezone(name: string): string {
  try {
    // An offset is a zone for `Intl` too, but for no database.
    if (!/^[A-Za-z]/.test(name)) throw new RangeError(name);
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch (cause) {
    throw new AppError('VALIDATION_FAILED', {
      cause,
      errors: [
        { pointer: '/timezone', code: 'UNKNOWN_TIMEZONE', message: 'must be an IANA name such as Europe/Berlin' },
      ],
    });
  }
}
