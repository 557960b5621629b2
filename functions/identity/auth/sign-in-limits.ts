/** Failed sign-ins are counted in steps. A limit applies to the sum of the current step and the three before it. */
const STEP_SECONDS = 5 * 60;
const STEPS_BEFORE = 3;

/** The number of sign-ins that may fail within 15 minutes. */
const LIMITS = { pair: 10, address: 20, account: 50 } as const;

/** The number of resets of passwords that an address may ask for within 15 minutes. */
const MAX_RESETS = 20;

/** The number of devices that may ask from an address within 15 minutes, and of wrong codes of sign-ins by browser. */
const MAX_DEVICES = 60;

/** The number of wrong codes of devices that a person may type within 15 minutes: there are 2.5e10. */
const MAX_WRONG_CODES = 10;

/** The number of programs that a person may approve in a browser within 15 minutes. */
const MAX_APPROVALS = 30;

/** What attempts are counted by: an account at an address, an address, or an account. */
export interface Scope {
  name: string;
  limit: number;
}

/**
 * The scope of a request for a reset of the password. As for sign-ins, others at an address do not hinder a known
 * account.
 */
export const resetScope = ({
  email,
  address,
  isKnown,
}: {
  email: string;
  address: string;
  isKnown: boolean;
}): Scope => ({
  name: isKnown ? `RESET ${email} ${address}` : `RESET ${address}`,
  limit: MAX_RESETS,
});

/**
 * The scopes of an attempt, in the order in which they are counted. If the account has signed in from the address
 * before, only the attempts of this pair count, so that attempts of others cannot lock its owner out.
 */
export function scopesOf(attempt: { email: string; address: string; isKnown: boolean }): Scope[] {
  const { email, address, isKnown } = attempt;
  const pair = { name: `PAIR ${email} ${address}`, limit: LIMITS.pair };
  if (isKnown) return [pair];
  // The account comes last, so that an address beyond its own limit cannot use up the limit of the account.
  return [
    pair,
    { name: `ADDRESS ${address}`, limit: LIMITS.address },
    { name: `ACCOUNT ${email}`, limit: LIMITS.account },
  ];
}

export const deviceScope = (address: string): Scope => ({ name: `DEVICE ${address}`, limit: MAX_DEVICES });

export const signInCodeScope = (address: string): Scope => ({ name: `SIGN-IN-CODE ${address}`, limit: MAX_DEVICES });

export const browserScope = (userId: string): Scope => ({ name: `BROWSER ${userId}`, limit: MAX_APPROVALS });

export const userCodeScope = (userId: string): Scope => ({ name: `DEVICE-CODE ${userId}`, limit: MAX_WRONG_CODES });

export interface Steps {
  /** The start of the current step, in seconds since the epoch. */
  current: number;
  /** The starts of the steps before it, latest first. */
  before: number[];
  /** When the count of the current step expires. */
  expiresAt: number;
}

export function stepsAt(now: number): Steps {
  const current = now - (now % STEP_SECONDS);
  const before = Array.from({ length: STEPS_BEFORE }, (_, index) => current - (index + 1) * STEP_SECONDS);
  return { current, before, expiresAt: current + (STEPS_BEFORE + 1) * STEP_SECONDS };
}

/** The number of attempts that the current step may have. `before` are the counts of the steps before it. */
export function roomLeft({ limit }: Scope, before: readonly number[]): number {
  return limit - before.reduce((sum, count) => sum + count, 0);
}

/** Seconds until enough steps have expired for another attempt. */
export function secondsUntilRoom({ limit }: Scope, counts: readonly number[], now: number): number {
  const untilNextStep = STEP_SECONDS - (now % STEP_SECONDS);
  for (let ended = 0; ended < STEPS_BEFORE; ended += 1) {
    const counted = counts.slice(0, STEPS_BEFORE - ended).reduce((sum, count) => sum + count, 0);
    if (counted < limit) return untilNextStep + ended * STEP_SECONDS;
  }
  return untilNextStep + STEPS_BEFORE * STEP_SECONDS;
}
