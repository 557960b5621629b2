import { AppError } from '../../platform/errors/app-error.ts';

/** The canonical name of a time zone, which every library knows. Throws VALIDATION_FAILED for an unknown name. */
export function canonicalTimezone(name: string): string {
  try {
    // `Intl` also accepts offsets, but databases do not.
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
