/** A value as a source has it. Numbers keep their text. */
export type Truth = null | boolean | string | NumberText | Truth[] | { [name: string]: Truth };

export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Begins the text of an infinite date, which only JSON keeps: elsewhere it becomes null, which is counted. */
export const ENDLESS = '\u0000';

/** Parses JSON and keeps the texts of numbers. */
export const exactJson = (text: string): Truth =>
  JSON.parse(text, (_key, value: unknown, { source }: { source?: string }) =>
    typeof value === 'number' ? new NumberText(source!) : value,
  ) as Truth;

/** Whether a value as the platform shows it, in a column of this type, is the value of the source. */
export function isSame(truth: Truth, shown: Truth, type: string): boolean {
  if (truth === null || shown === null) return isNothing(truth, type) && shown === null;
  if (truth instanceof NumberText || shown instanceof NumberText) return sameNumber(textOf(truth), textOf(shown));
  if (Array.isArray(truth)) {
    if (!Array.isArray(shown) || shown.length !== truth.length) return false;
    const item = /^list\((.*)\)$/.exec(type)?.[1] ?? type;
    return truth.every((value, i) => isSame(value, shown[i]!, item));
  }
  if (typeof truth === 'object') {
    if (typeof shown !== 'object' || Array.isArray(shown) || shown === null) return false;
    const names = new Set([...Object.keys(truth), ...Object.keys(shown)]);
    return [...names].every((name) => isSame(truth[name] ?? null, shown[name] ?? null, 'any'));
  }
  if (typeof truth === 'boolean') return shown === truth || shown === String(truth);
  return typeof truth === 'string' && sameText(truth, shown as string | boolean, type);
}

/**
 * Blank texts are null in columns with a type. Infinite dates, and doubles that are no numbers, are kept and shown as
 * null.
 */
function isNothing(truth: Truth, type: string): boolean {
  if (truth === null) return true;
  if (typeof truth !== 'string' || type === 'string' || type === 'json') return false;
  const text = truth.trim();
  if (type === 'double' && /^(NaN|-?Infinity)$/.test(text)) return true;
  return text === '' || (type === 'date' && /^-?infinity$/.test(text));
}

const textOf = (value: Truth) =>
  value instanceof NumberText ? value.text : typeof value === 'string' ? value.trim() : '';

function sameText(truth: string, shown: string | boolean, type: string): boolean {
  if (truth.startsWith(ENDLESS)) return type === 'json' && shown === truth.slice(ENDLESS.length);
  const text = truth.trim();
  if (type === 'boolean') return text.toLowerCase() === String(shown);
  if (truth === shown) return true;
  if (/^(date|timestamp|timestamptz|json|any)$/.test(type)) {
    const instant = instantOf(text);
    return instant !== undefined && instant === instantOf(String(shown));
  }
  if (type === 'integer' || type === 'double' || type.startsWith('decimal')) return sameNumber(text, String(shown));
  if (type === 'time') return clockOf(text) === clockOf(String(shown));
  return false;
}

const clockOf = (text: string) => text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');

/** Whether two texts are the same number, whatever their notation. */
export function sameNumber(a: string, b: string): boolean {
  const [one, other] = [numberOf(a), numberOf(b)];
  return one !== undefined && one === other;
}

function numberOf(text: string): string | undefined {
  const match = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text.trim());
  if (!match || match[2]! + match[3]! === '') return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign === '-' ? '-' : ''}${significant}e${power}`;
}

/** Microseconds since 1970 of a date or an instant, in ISO 8601 or as databases write them. */
function instantOf(text: string): bigint | undefined {
  const isBefore = / BC$|\(BC\)/.test(text);
  const match =
    /^(-?\d{4,6})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)? ?(Z|[+-]\d\d(?::?\d\d)?(?::\d\d)?)?$/.exec(
      text.replace(' (BC)', '').replace(/ BC$/, ''),
    );
  if (!match) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', offset = 'Z'] = match;
  const made = new Date(0);
  made.setUTCFullYear(isBefore ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day));
  made.setUTCHours(Number(hour), Number(minute), Number(second));
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?/.exec(offset) ?? [];
  const ahead = sign ? (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60 : 60) : 0;
  return (BigInt(made.getTime()) - BigInt(ahead) * 1000n) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}
