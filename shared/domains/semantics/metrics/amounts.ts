/** A value as questions answer it: decimals and large integers are texts, so that they stay exact. */
export type Amount = number | string | null;

interface Scaled {
  digits: bigint;
  scale: number;
}

/** Texts and whole numbers are exact; undefined for other numbers. */
function scaled(amount: number | string): Scaled | undefined {
  const text = String(amount);
  if (typeof amount === 'number' && !Number.isSafeInteger(amount)) return undefined;
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) return undefined;
  const [, sign, whole, fraction = ''] = match;
  return { digits: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length };
}

/** The sum without rounding where the amounts are decimals or whole numbers. Nulls count as nothing. */
export function sumOf(amounts: readonly Amount[]): Amount {
  const known = amounts.filter((amount) => amount !== null);
  const exact = known.map(scaled);
  if (exact.some((each) => each === undefined)) return known.reduce<number>((sum, each) => sum + Number(each), 0);
  const scale = Math.max(0, ...exact.map((each) => each!.scale));
  const digits = exact.reduce((sum, each) => sum + each!.digits * 10n ** BigInt(scale - each!.scale), 0n);
  return textOf(
    { digits, scale },
    known.some((each) => typeof each === 'string'),
  );
}

export const difference = (a: Amount, b: Amount): Amount => sumOf([a, negative(b)]);

function negative(amount: Amount): Amount {
  if (amount === null) return null;
  if (typeof amount === 'number') return amount === 0 ? 0 : -amount;
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}

function textOf({ digits, scale }: Scaled, isText: boolean): Amount {
  const sign = digits < 0n ? '-' : '';
  const padded = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  const whole = padded.slice(0, padded.length - scale);
  const text = scale === 0 ? `${sign}${whole}` : `${sign}${whole}.${padded.slice(-scale)}`;
  return isText || !Number.isSafeInteger(Number(text)) ? text : Number(text);
}

/** `part` of `whole`; null where there is nothing to compare with. */
export function ratioOf(part: Amount, whole: Amount): number | null {
  if (part === null || whole === null || Number(whole) === 0) return null;
  return Number(part) / Math.abs(Number(whole));
}

export interface Change {
  change: Amount;
  /** In percent of the earlier value. */
  changePct: number | null;
}

/** From an earlier value to a later one; null where one of them does not exist. */
export function changeBetween(earlier: Amount, later: Amount): Change {
  if (earlier === null || later === null) return { change: null, changePct: null };
  const change = difference(later, earlier);
  const ratio = ratioOf(change, earlier);
  return { change, changePct: ratio === null ? null : ratio * 100 };
}
