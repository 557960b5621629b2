import { describe, expect, it } from 'vitest';
import { canonicalTimezone } from '../../../../shared/domains/semantics/queries/index.ts';

describe('the name of a time zone', () => {
  it.each([
    'Asia/Kathmandu',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'Asia/Ho_Chi_Minh',
    'Europe/Kyiv',
    'Europe/Kiev',
    'Asia/Yangon',
    'America/Nuuk',
    'US/Eastern',
    'Etc/UTC',
    'UTC',
  ])('stays as it was sent: %s', (name) => {
    expect(canonicalTimezone(name)).toBe(name);
  });

  it('has the usual capitals', () => {
    expect(canonicalTimezone('europe/berlin')).toBe('Europe/Berlin');
  });

  it.each(['Mars/Base', '+01:00', ''])('must be known: %j', (name) => {
    expect(() => canonicalTimezone(name)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }));
  });
});
