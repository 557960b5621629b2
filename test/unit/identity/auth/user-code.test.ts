import { expect, it } from 'vitest';
import { canonicalUserCode, newUserCode } from '../../../../functions/identity/auth/devices/user-code.ts';

it('a user code has eight letters that are neither vowels nor taken for digits', () => {
  const codes = Array.from({ length: 200 }, () => newUserCode());
  for (const code of codes) expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  expect(new Set(codes).size).toBe(codes.length);
  expect([...new Set(codes.join('').replaceAll('-', ''))]).toHaveLength(20);
  expect(newUserCode(() => 0)).toBe('BBBB-BBBB');
  expect(newUserCode((max) => max - 1)).toBe('ZZZZ-ZZZZ');
});

it('a code means the same however a person types it', () => {
  for (const typed of ['WDJB-MJHT', 'wdjb-mjht', 'wdjbmjht', ' WDJB MJHT ', 'wdjb—mjht'])
    expect(canonicalUserCode(typed)).toBe('WDJB-MJHT');
  expect(canonicalUserCode('')).toBe('-');
});
