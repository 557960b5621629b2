import { seededRandom } from '../../support/seeded-random.ts';

/** Choices of one scenario: the same ones for the same seed. */
export class Choices {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  upTo(most: number): number {
    return Math.floor(this.#random() * (most + 1));
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  of<T>(values: readonly T[]): T {
    return values[this.upTo(values.length - 1)]!;
  }

  digits(count: number): string {
    return Array.from({ length: count }, () => this.upTo(9)).join('');
  }

  list<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.upTo(most) }, make);
  }
}

export const ODD_TEXTS = [
  '',
  ' ',
  'NULL',
  'null',
  'NaN',
  'Infinity',
  '-infinity',
  'true',
  'FALSE',
  '007',
  '1e5',
  '1E+05',
  '1.50',
  '-0',
  '-0.0',
  '+5',
  '.5',
  '5.',
  '1,5',
  '\ufeffmark',
  'é𝄞',
  'a"b',
  '"',
  '""',
  'a,b',
  'a;b',
  'a\nb',
  'a\r\nb',
  '\t',
  "it's",
  '\\',
  '\\N',
  '#N/A',
  '=1+1',
  'x'.repeat(300),
  '2024-01-01',
  '2024-02-30',
  '0044-03-15 (BC)',
  '12024-01-01',
  '10:30',
  '2024-01-01T10:00:00Z',
  '2024-01-01 10:00:00.123456',
  '2024-01-01T10:00:00.1234567Z',
  '2024-01-01 10:00+02',
  '9007199254740993',
  '9223372036854775808',
  '-9223372036854775808',
  '1e400',
  '12345678901234567890123',
  '0.1234567890123456789',
  '0.1',
  '1e-320',
  '[1]',
  '{"a":1}',
]; // prettier-ignore

export function numberText(choices: Choices): string {
  const sign = choices.chance(0.3) ? '-' : '';
  const whole = () => choices.digits(choices.of([1, 3, 10, 16, 19, 20, 25])).replace(/^0+(?=\d)/, '');
  return choices.of([
    () => sign + choices.upTo(100),
    () => sign + whole(),
    () => `${sign}${choices.upTo(999)}.${choices.digits(choices.of([1, 2, 6, 12, 18, 25]))}`,
    () =>
      `${sign}${choices.upTo(9)}.${choices.digits(3)}e${choices.chance(0.5) ? '-' : '+'}${choices.of([1, 5, 20, 300])}`,
    () => sign + String(choices.upTo(1e6) / 7),
  ])();
}

const pad = (value: number, length = 2) => String(value).padStart(length, '0');

export const dayText = (choices: Choices) =>
  `${pad(1900 + choices.upTo(200), 4)}-${pad(1 + choices.upTo(11))}-${pad(1 + choices.upTo(27))}`;

export const clockText = (choices: Choices) =>
  `${pad(choices.upTo(23))}:${pad(choices.upTo(59))}:${pad(choices.upTo(59))}${choices.of(['', `.${choices.digits(3)}`, `.${choices.digits(6)}`])}`;
