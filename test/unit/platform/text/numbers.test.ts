import { describe, expect, it } from 'vitest';
import { noticeText } from '../../../../shared/domains/alerts/evaluations/notice-text.ts';
import { changePercentText, partText, percentText } from '../../../../shared/platform/text/percent-text.ts';
import { differenceOfDecimals, sumOfDecimals } from '../../../../shared/platform/text/sum-of-decimals.ts';

describe('percentages', () => {
  it('have one decimal at most, and call nothing 0 that is something', () => {
    expect([96.25, -12.25, 100, 0, 0.04, -0.04, 123_456.78].map(percentText)).toEqual([
      ...['96.3%', '−12.3%', '100%', '0%', '<0.1%', '−<0.1%', '123,456.8%'],
    ]);
    expect([4.21, -4.21, 0, 0.01, -0.01].map(changePercentText)).toEqual(['+4.2%', '−4.2%', '0%', '+<0.1%', '−<0.1%']);
  });

  it('of a part are 100 only if nothing is missing', () => {
    expect([0.9996, 1, 1.0004, 0.999, 0.0001, 0].map(partText)).toEqual([
      ...['>99.9%', '100%', '100%', '99.9%', '<0.1%', '0%'],
    ]);
  });
});

describe('sums', () => {
  it('have no decimals that none of their numbers has', () => {
    expect([sumOfDecimals([0.1, 0.2]), sumOfDecimals([]), differenceOfDecimals(10.7, 10)]).toEqual([0.3, 0, 0.7]);
    expect(sumOfDecimals([1_234_567_890_127, 12_345_678_901.23])).toBe(1_246_913_569_028.23);
    expect(sumOfDecimals([2 ** 53, 1e22])).toBe(2 ** 53 + 1e22);
  });
});

describe('the text of a notice', () => {
  it('shows small numbers, which are not 0', () => {
    const notice = (value: number) =>
      ({
        ...{ edge: 'fire', group: '', error: null, value, rowsOf: null },
        condition: { operator: 'gt', threshold: 0 },
      }) as Parameters<typeof noticeText>[0];
    expect(noticeText(notice(4e-7), false)).toBe('It fired: the value is 4e−7, which is above 0.');
    expect(noticeText(notice(0.1 + 0.2), false)).toBe('It fired: the value is 0.3, which is above 0.');
  });
});
