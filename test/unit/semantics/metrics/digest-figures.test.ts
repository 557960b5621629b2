import { describe, expect, it } from 'vitest';
import { figureOf, periodName } from '../../../../functions/delivery/kinds/digests/digest-figures.ts';
import { digestMail } from '../../../../functions/delivery/kinds/digests/digest-mail.ts';
import { formatAmount } from '../../../../shared/domains/semantics/metrics/format-amount.ts';
import type { MetricValue } from '../../../../shared/domains/semantics/metrics/metric-value.ts';
import type { MetricRecord } from '../../../../shared/domains/semantics/metrics/records.ts';
import { showFormat } from '../../../../shared/domains/semantics/metrics/show-format.ts';
import { composed } from '../../../../shared/platform/mail/compose.ts';

const metric = {
  name: 'Cost',
  grain: 'month',
  timezone: 'Europe/Berlin',
  direction: 'down_good',
  format: null,
} as const;
const period = (from: string, isComplete = false) => ({ from, to: from, through: from, isComplete });
const november = period('2026-10-31T23:00:00.000Z');
const october = period('2026-09-30T22:00:00.000Z');
const value = (shown: Partial<MetricValue>): MetricValue => ({
  ...{ value: 1, type: 'integer', period: november, comparison: null, target: null },
  ...{ asOf: '', dataAsOf: '', cache: 'miss', ...shown },
});
const linesOf = (shown: Partial<MetricValue>) => figureOf(metric, value(shown)).lines;

describe('the figures of a digest', () => {
  it.each([
    [5, 100, 'good', '▼ 5% from 100 in the same part of October 2026'],
    [-5, 100, 'bad', '▲ 5% from 100 in the same part of October 2026'],
  ])('say whether a change is good: %i', (less, earlier, tone, text) => {
    const comparison = { value: earlier, period: october, change: -less, changePct: (-less / earlier) * 100 };
    expect(linesOf({ comparison })[1]).toEqual({ text, tone });
  });

  it('say what cannot be compared', () => {
    const comparison = { value: 0, period: october, change: 7, changePct: null };
    expect(linesOf({ comparison })[1]?.text).toBe('▲ 7 from 0 in the same part of October 2026');
    const none = { value: null, period: october, change: null, changePct: null };
    expect(linesOf({ comparison: none })[1]?.text).toBe('No value to compare with in the same part of October 2026');
    const same = { value: 1, period: october, change: 0, changePct: 0 };
    expect(linesOf({ comparison: same, period: period(november.from, true) }).map(({ text }) => text)).toEqual([
      'November 2026',
      'No change from October 2026',
    ]);
  });

  it('call no change nothing, and nothing reached that is not', () => {
    const comparison = { value: 100_000, period: october, change: -30, changePct: -0.03 };
    expect(linesOf({ comparison })[1]?.text).toBe('▼ <0.1% from 100,000 in the same part of October 2026');
    const target = { value: 10_000, by: '2026-11-30', actual: 9_996, progress: 0.9996, pace: null };
    expect(linesOf({ target })[1]?.text).toBe('>99.9% of the target of 10,000 by 30 November 2026');
  });

  it('show the way to the target', () => {
    const pace = { elapsed: 0.5, expected: 50, status: 'behind' } as const;
    const target = { value: 100, by: '2026-11-30', actual: 40, progress: 0.4, pace };
    expect(linesOf({ target })[1]).toEqual({
      text: '40% of the target of 100 by 30 November 2026, behind',
      tone: 'bad',
    });
  });

  it.each([
    ['day', '2026-10-31T23:00:00.000Z', '1 November 2026'],
    ['week', '2026-11-01T23:00:00.000Z', 'the week of 2 November 2026'],
    ['month', '2026-10-31T23:00:00.000Z', 'November 2026'],
    ['quarter', '2026-09-30T22:00:00.000Z', 'Q4 2026'],
    ['year', '2025-12-31T23:00:00.000Z', '2026'],
  ] as const)('name the %s', (grain, from, name) => {
    expect(periodName({ grain, timezone: 'Europe/Berlin' }, from)).toBe(name);
  });

  it.each([
    ['12345678901234567890.125', null, '12,345,678,901,234,567,890.125'],
    ['1234.5', { kind: 'currency', currency: 'EUR' }, '€1,234.50'],
    ['1234.5', { kind: 'currency', currency: 'EUR', decimals: 2 }, '€1,234.50'],
    [0.1234, { kind: 'percent', decimals: 1 }, '12.3%'],
    [1234567, { kind: 'number', abbreviate: true }, '1.23M'],
    [null, null, '–'],
  ] as const)('format %s', (amount, format, text) => {
    expect(formatAmount(amount, format as MetricRecord['format'])).toBe(text);
  });

  it('are in the format of the metric, otherwise in that of its measure or field', () => {
    const EUR = { kind: 'currency', currency: 'EUR' } as const;
    const percent = { kind: 'percent' } as const;
    const none = { format: null, measureId: null, fieldId: null, aggregation: null };
    const definition = {
      measures: new Map([['measure', { format: EUR }]]),
      fields: new Map([['field', { format: '0.00', aggregation: 'count' }]]),
    } as unknown as Parameters<typeof showFormat>[1];
    expect(showFormat({ ...none, format: percent, measureId: 'measure' }, definition)).toEqual(percent);
    expect(showFormat({ ...none, measureId: 'measure' }, definition)).toEqual(EUR);
    expect(showFormat({ ...none, fieldId: 'field', aggregation: 'avg' }, definition)).toEqual({
      kind: 'number',
      pattern: '0.00',
    });
    expect(showFormat({ ...none, fieldId: 'field', aggregation: 'count' }, definition)).toBeNull();
  });

  it('are shown by the mail with names escaped, and the link to unsubscribe', () => {
    const figures = [figureOf({ ...metric, name: '<b>Cost</b>' }, value({}))];
    const content = { digestName: 'Numbers & more', workspaceName: 'Sales', ownerName: 'Ada', figures };
    const url = 'https://example.com/api/metrics/digests/unsubscribe?token=du';
    const { subject, text, html } = composed(digestMail(content, 2, url));
    expect(subject).toBe('Numbers & more');
    expect(text).toBe(
      [
        'Numbers & more',
        '<b>Cost</b>: 1\n  November 2026 so far',
        '2 metrics are left out, because you may not see the data.',
        'Ada sends you this digest from the workspace “Sales”. The numbers come from the rows that you may see.',
        `Unsubscribe from this digest:\n${url}\n`,
      ].join('\n\n'),
    );
    expect(html).toContain('&lt;b&gt;Cost&lt;/b&gt;');
    expect(html).toContain('<h1');
    expect(html).not.toContain('<b>Cost');
    expect(html).toContain(`<a href="${url}"`);
  });
});
