import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { isTimeZone } from '../../../../shared/platform/schedule/time-zone.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import type { ChangeProfile, Me } from '../schemas.ts';
import { describeMe, type MeDeps } from './describe-me.ts';

/** Changes the named members of the caller's profile; null clears one. */
export async function changeProfile(
  deps: MeDeps & { now: () => Date },
  principal: Principal,
  change: ChangeProfile,
): Promise<Me> {
  const { accounts } = deps;
  const language = change.language === undefined ? undefined : languageOf(change.language);
  requireTimeZone(change.timezone);
  await onNewest('STALE_WRITE', async () => {
    const user = await accounts.user(principal.userId);
    if (!user) throw new AppError('UNAUTHENTICATED');
    const profile = {
      name: change.name ?? user.name,
      language: language === undefined ? (user.language ?? null) : language,
      timeZone: change.timezone === undefined ? (user.timeZone ?? null) : change.timezone,
    };
    await accounts.saveProfile(user, profile, deps.now());
  });
  if (change.name !== undefined) await accounts.renameMemberships(principal.userId);
  return describeMe(deps, principal);
}

/** The tag in its canonical form: `DE-ch` is `de-CH`. */
function languageOf(tag: string | null): string | null {
  if (tag === null) return null;
  try {
    return Intl.getCanonicalLocales(tag)[0]!;
  } catch {
    throw invalid('/language', 'must be a language tag (BCP 47), such as en or de-CH');
  }
}

function requireTimeZone(name: string | null | undefined): void {
  if (name === undefined || name === null || isTimeZone(name)) return;
  throw invalid('/timezone', 'must be a time zone (IANA), such as Europe/Zurich');
}

const invalid = (pointer: string, message: string) =>
  new AppError('VALIDATION_FAILED', { errors: [{ pointer, code: 'FORMAT', message }] });
