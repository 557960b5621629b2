import { describe, expect, it } from 'vitest';
import { patternOf } from '../../../../shared/data/profiles/patterns.ts';
import { inferSemanticType, SEMANTIC_TYPES } from '../../../../shared/data/profiles/semantic-types.ts';
import { expectedDistinct } from '../../../../shared/data/profiles/values.ts';

const infer = (texts: readonly string[], name = 'value') =>
  inferSemanticType(
    { name, kind: 'text', isInteger: false, values: texts.length, distinct: new Set(texts).size },
    texts.map((text) => ({ text, count: 1 })),
  );

describe('the meaning of texts', () => {
  it.each([
    ['email', ['ada@example.com', 'b.c+d@sub.example.org']],
    ['phone', ['+49 30 1234567', '030 123-4567', '+1-202-555-0100']],
    ['url', ['https://example.com/a?b=c', 'http://example.org']],
    ['uuid', ['123e4567-e89b-12d3-a456-426614174000']],
    ['ip_address', ['10.0.0.1', '2001:db8::1']],
    ['iban', ['DE89370400440532013000', 'GB82WEST12345698765432']],
    ['country', ['DE', 'France', 'us']],
    ['currency', ['EUR', 'USD', 'JPY']],
    ['date', ['2026-02-28', '2026-01-01T10:00:00Z', '31.12.2025']],
    ['boolean', ['yes', 'no', 'Yes']],
    ['free_text', ['The parcel never came.', 'Very good service, thank you!']],
  ] as const)('finds %s', (type, texts) => {
    expect(infer(texts)).toMatchObject({ type });
  });

  it.each([
    ['an IBAN with a wrong digit', ['DE89370400440532013001'], 'iban'],
    ['a date that does not exist', ['2026-02-30'], 'date'],
    ['an address of the network beyond 255', ['10.0.0.256'], 'ip_address'],
    ['a code of three letters that is no currency', ['ABC', 'XYZ'], 'currency'],
    ['plain digits', ['12345678'], 'phone'],
  ])('does not take %s for one', (_, texts, type) => {
    expect(infer(texts)?.type).not.toBe(type);
  });

  it('needs the name where other values look the same', () => {
    expect(infer(['10115', '80331'], 'postal_code')).toMatchObject({ type: 'postal_code', matchPct: 100 });
    expect(infer(['10115', '80331'], 'amount')).toBeNull();
    expect(infer(['0301234567'], 'phone')).toMatchObject({ type: 'phone' });
  });

  it('states the share that matches, and infers nothing below 90 %', () => {
    const emails = Array.from({ length: 19 }, (_, index) => `user${index}@example.com`);
    expect(infer([...emails, 'none'])).toEqual({ type: 'email', matchPct: 95 });
    expect(infer([...emails.slice(0, 8), 'none', 'unknown'])?.type).not.toBe('email');
  });

  it('ignores blanks', () => {
    expect(infer(['ada@example.com', '', ' '])).toEqual({ type: 'email', matchPct: 100 });
  });

  it('distinguishes identifiers from categories', () => {
    const codes = Array.from({ length: 30 }, (_, index) => `A-${index}`);
    expect(infer(codes)).toMatchObject({ type: 'identifier' });
    expect(infer(Array.from({ length: 30 }, (_, index) => `level ${index % 3}`))).toMatchObject({ type: 'category' });
    const names = Array.from({ length: 30 }, (_, index) => `Name${'abcdefghijklmnopqrstuvwxyzäöüß'[index]}`);
    expect(infer(names)).toBeNull();
  });

  it('looks only for what is asked', () => {
    const facts = { name: 'x', kind: 'text', isInteger: false, values: 1, distinct: 1 } as const;
    const values = [{ text: 'ada@example.com', count: 1 }];
    expect(
      inferSemanticType(
        facts,
        values,
        SEMANTIC_TYPES.filter((type) => type !== 'email'),
      ),
    ).toBeNull();
  });

  it('takes linear time for long texts', () => {
    const long = ['a'.repeat(200), `${'1 '.repeat(99)}x`, `${'a.'.repeat(99)}@`, `http://${'a'.repeat(190)}`];
    const startedAt = performance.now();
    infer(Array.from({ length: 10_000 }, (_, index) => long[index % long.length]!));
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});

it.each([
  ['AB-1234', 'A-9'],
  ['Ada Lovelace', 'Aa Aa'],
  ['  x\t1', ' a 9'],
  ['größe_5', 'a_9'],
  ['東京', 'a'],
])('the pattern of %j is %j', (text, pattern) => {
  expect(patternOf(text)).toBe(pattern);
});

it.each([1000, 50_000, 1_000_000, 10_000_000])('estimates %d distinct values from a sample of 100,000', (distinct) => {
  const seen = Math.round(distinct * (1 - Math.exp(-100_000 / distinct)));
  expect(expectedDistinct(100_000, seen) / distinct).toBeGreaterThan(0.8);
  expect(expectedDistinct(100_000, seen) / distinct).toBeLessThan(1.2);
});
