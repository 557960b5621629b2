import { expect, it } from 'vitest';
import { detailsOf } from '../../../../functions/identity/sso/sign-in/finish-sso.ts';

it('the log of a refused sign-on has at most 500 characters of what the reply made the errors say', () => {
  const cause = new Error('invalid', { cause: new Error('x'.repeat(100_000)) });
  expect(detailsOf(cause)).toBe(`invalid: ${'x'.repeat(491)}`);
  expect(detailsOf('y'.repeat(501))).toHaveLength(500);
  expect(detailsOf(undefined)).toBe('');
});
