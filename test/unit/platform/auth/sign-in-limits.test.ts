import { describe, expect, it } from 'vitest';
import { roomLeft, scopesOf, secondsUntilRoom, stepsAt } from '../../../../functions/identity/auth/sign-in-limits.ts';
import { networkOf } from '../../../../shared/platform/net/network-of.ts';

describe('limits of failed sign-ins', () => {
  it('count an account at an address, then the address, then the account', () => {
    const attempt = { email: 'ada@example.com', address: '192.0.2.1' };
    expect(scopesOf({ ...attempt, isKnown: false })).toEqual([
      { name: 'PAIR ada@example.com 192.0.2.1', limit: 10 },
      { name: 'ADDRESS 192.0.2.1', limit: 20 },
      { name: 'ACCOUNT ada@example.com', limit: 50 },
    ]);
    expect(scopesOf({ ...attempt, isKnown: true })).toEqual([{ name: 'PAIR ada@example.com 192.0.2.1', limit: 10 }]);
  });

  it('take a /64 of IPv6 for one address', () => {
    for (const [address, network] of [
      ['192.0.2.1', '192.0.2.1'],
      ['::ffff:192.0.2.1', '192.0.2.1'],
      ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
      ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
      ['2001:db8::1', '2001:db8:0:0'],
      ['2001:db8::2', '2001:db8:0:0'],
      ['fe80::1%eth0', 'fe80:0:0:0'],
      ['::1', '0:0:0:0'],
      ['', ''],
    ] as const) {
      expect(networkOf(address), address).toBe(network);
    }
  });

  it('never leave room for more than the limit within any 15 minutes', () => {
    const scope = { name: 'x', limit: 10 };
    // An attacker who tries every second of two hours.
    const counts = new Map<number, number>();
    const countOf = (step: number) => counts.get(step) ?? 0;
    const accepted: number[] = [];
    for (let now = 1_700_000_123; now < 1_700_000_123 + 7200; now += 1) {
      const { current, before } = stepsAt(now);
      const taken = countOf(current);
      if (taken < roomLeft(scope, before.map(countOf))) {
        counts.set(current, taken + 1);
        accepted.push(now);
        continue;
      }
      const seconds = secondsUntilRoom(scope, [taken, ...before.map(countOf)], now);
      expect(seconds).toBeGreaterThan(0);
      const then = stepsAt(now + seconds);
      expect(countOf(then.current), 'the wait is long enough').toBeLessThan(roomLeft(scope, then.before.map(countOf)));
      const early = stepsAt(now + seconds - 1);
      expect(countOf(early.current), 'and no longer').toBeGreaterThanOrEqual(
        roomLeft(scope, early.before.map(countOf)),
      );
    }
    for (const at of accepted) {
      expect(accepted.filter((other) => other >= at && other < at + 15 * 60).length).toBeLessThanOrEqual(scope.limit);
    }
    expect(accepted.length).toBeGreaterThan(50);
  });
});
