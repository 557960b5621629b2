import { describe, expect, it } from 'vitest';
import { conditionText } from '../../../../functions/platform/console/site/data/conditions.ts';
import { limited } from '../../../../functions/platform/console/site/data/limited.ts';
import { bodyOf, draftOf, newDraft } from '../../../../functions/platform/console/site/screens/metrics/draft.ts';
import {
  amountText,
  changeText,
  shortAmountText,
  tickText,
} from '../../../../functions/platform/console/site/ui/amount.ts';

describe('the form of a metric', () => {
  it('keeps what it does not ask for', () => {
    const metric = {
      ...bodyOf({ ...newDraft('model', 'UTC'), name: ' Revenue ', measureId: 'm', timeFieldId: 't' }),
      filters: [{ expression: '[a] > 1' }, { anyOf: [{ fieldId: 'f', op: 'is_null', values: [] }] }],
      format: { kind: 'number', pattern: '#,##0 "kg"', decimals: 1 },
      target: { value: 12.5, by: '2026-12-31' },
      ownerId: 'o',
    } as never;
    const { name, filters, format, target } = metric as ReturnType<typeof bodyOf>;
    expect(name).toBe('Revenue');
    expect(bodyOf(draftOf(metric), format)).toMatchObject({
      name,
      filters,
      format,
      target,
      ownerId: 'o',
      fieldId: null,
    });
  });

  it('says conditions in words', () => {
    const nameOf = (id: string) => `orders.${id}`;
    expect(conditionText({ fieldId: 'region', op: 'in', values: ['eu', 'us'] }, nameOf)).toBe(
      'orders.region is one of eu, us',
    );
    const anyOf = [
      { fieldId: 'day', op: 'last_n', values: [3, 'month'] },
      { fieldId: 'region', op: 'is_null', values: [] },
    ];
    expect(conditionText({ anyOf, values: [] }, nameOf)).toBe(
      'orders.day last n 3, month or orders.region has no value',
    );
  });
});

describe('amounts', () => {
  it('are written in their format, with all digits of exact decimals', () => {
    expect(amountText('9007199254740993.25', null)).toBe('9,007,199,254,740,993.25');
    expect(amountText(null, null)).toBe('–');
    expect(
      ['53.666666666667', '1234567.8', '0.1', '-9007199254740993.25'].map((each) => shortAmountText(each, null)),
    ).toEqual(['53.7', '1,234,567.8', '0.1', '−9,010T']);
    expect(shortAmountText('1234567.891', { kind: 'currency', currency: 'EUR' })).toBe('€1.23M');
    expect(shortAmountText(null, null)).toBe('–');
    expect(changeText('21', { kind: 'currency', currency: 'EUR', decimals: 2 })).toBe('+€21.00');
    expect(changeText(-3, null)).toBe('−3');
  });
});

describe('ticks of an axis', () => {
  it('are not rounded to the decimals of their format', () => {
    const USD = { kind: 'currency', currency: 'USD', decimals: 0 } as const;
    expect([0, 0.5, 1, 2_500_000].map((tick) => tickText(tick, USD))).toEqual(['$0', '$0.5', '$1', '$2.5M']);
    expect(tickText(0.025, { kind: 'percent', decimals: 0 })).toBe('2.5%');
    expect(tickText(0.1 + 0.2, null)).toBe('0.3');
  });
});

describe('work in turn', () => {
  it('runs so many tasks at the same time, in their order, also after one has failed', async () => {
    const inTurn = limited(2);
    const ends: (() => void)[] = [];
    const begun: number[] = [];
    const task = (id: number) =>
      inTurn(async () => {
        begun.push(id);
        await new Promise<void>((resolve) => ends.push(resolve));
        if (id === 1) throw new Error('failed');
        return id;
      });
    const all = [1, 2, 3, 4].map(task);
    const settled = Promise.allSettled(all);
    await Promise.resolve();
    expect(begun).toEqual([1, 2]);
    ends[0]!();
    await expect(all[0]).rejects.toThrow('failed');
    await expect.poll(() => begun).toEqual([1, 2, 3]);
    for (const end of ends.slice(1)) end();
    await expect.poll(() => begun).toEqual([1, 2, 3, 4]);
    ends.at(-1)!();
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled']);
  });
});
