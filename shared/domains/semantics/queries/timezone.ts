import { AppError } from '../../../platform/errors/app-error.ts';

/** What the runtime answered, which takes long. Names can be spelled in any case, so the number is limited. */
const known = new Map<string, string>();
const MAX_KNOWN = 1_000;

/**
 * The name of a time zone as given, in its usual capitals. The runtime would rename zones to older names, such as
 * `Asia/Kolkata` to `Asia/Calcutta`; engines and databases know the new ones. Throws VALIDATION_FAILED for an unknown
 * name.
 */
export function canonicalTimezone(name: string): string {
  const before = known.get(name);
  if (before !== undefined) return before;
  const canonical = checkTimezone(name);
  if (known.size < MAX_KNOWN) known.set(name, canonical);
  return canonical;
}

function checkTimezone(name: string): string {
  try {
    // `Intl` also accepts offsets, but databases do not.
    if (!/^[A-Za-z]/.test(name)) throw new RangeError(name);
    const renamed = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    return renamed.toLowerCase() === name.toLowerCase() ? renamed : name;
  } catch (cause) {
    throw new AppError('VALIDATION_FAILED', {
      cause,
      errors: [
        { pointer: '/timezone', code: 'UNKNOWN_TIMEZONE', message: 'must be an IANA name such as Europe/Berlin' },
      ],
    });
  }
}
