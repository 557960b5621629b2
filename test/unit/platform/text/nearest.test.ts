import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from '../../../../shared/platform/text/nearest.ts';

const STEPS = ['orders', 'clean-orders', 'load'];

describe('the nearest known name', () => {
  it.each([
    ['ordres', 'orders'],
    ['Load', 'load'],
    ['clean_orders', 'clean-orders'],
    ['laod', 'load'],
    ['lado', undefined],
    ['customers', undefined],
    ['', undefined],
  ])('%j means %j', (name, expected) => {
    expect(nearest(name, STEPS)).toBe(expected);
  });

  it('is the first of several equally near ones', () => {
    expect(nearest('orderx', ['order1', 'order2'])).toBe('order1');
  });

  it('ends a sentence about an unknown name', () => {
    expect(`Unknown step "ordres"${didYouMean('ordres', STEPS)}`).toBe('Unknown step "ordres"; did you mean "orders"?');
    expect(`Unknown step "customers"${didYouMean('customers', STEPS)}`).toBe('Unknown step "customers".');
  });
});
