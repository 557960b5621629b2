import { describe, expect, it } from 'vitest';
import {
  deliveryTimeIssues,
  isPlanned,
  nextDeliveryAt,
  previousDeliveryAt,
} from '../../../../shared/domains/delivery/deliveries/index.ts';

const daily = { cron: '30 2 * * *', timezone: 'Europe/Berlin', isActive: true };
const next = (after: string) => nextDeliveryAt(daily, new Date(after))?.toISOString();

describe('the instants of a delivery', () => {
  it('follow a local time that the clocks skip right after the skip', () => {
    expect(next('2026-03-28T12:00:00Z')).toBe('2026-03-29T01:00:00.000Z');
    expect(next('2026-03-29T01:00:00Z')).toBe('2026-03-30T00:30:00.000Z');
    expect(isPlanned(daily, new Date('2026-03-29T01:00:00Z'))).toBe(true);
  });

  it('have a local time that the clocks repeat once', () => {
    expect(next('2026-10-24T12:00:00Z')).toBe('2026-10-25T00:30:00.000Z');
    expect(next('2026-10-25T00:30:00Z')).toBe('2026-10-26T01:30:00.000Z');
    expect(isPlanned(daily, new Date('2026-10-25T01:30:00Z'))).toBe(false);
  });

  it('do not exist while the delivery is paused', () => {
    expect(nextDeliveryAt({ ...daily, isActive: false }, new Date())).toBeUndefined();
  });

  it('know the one before, also of a yearly schedule', () => {
    const yearly = { cron: '0 0 1 1 *', timezone: 'UTC' };
    expect(previousDeliveryAt(yearly, new Date('2026-06-01T00:00:00Z'))?.toISOString()).toBe(
      '2026-01-01T00:00:00.000Z',
    );
  });

  it('are at least 15 minutes apart', () => {
    const now = new Date('2026-01-01T00:00:00Z');
    const issues = (cron: string) => deliveryTimeIssues({ cron, timezone: 'UTC' }, now);
    expect(issues('*/15 * * * *')).toEqual([]);
    expect(issues('0,10 8 * * *')).toMatchObject([{ pointer: '/cron', code: 'TOO_FREQUENT' }]);
    expect(issues('nonsense')).toMatchObject([{ pointer: '/cron', code: 'CRON_INVALID' }]);
  });
});
