import { expect, it } from 'vitest';
import {
  COMPOSERS,
  DELIVERIES,
  OPENERS,
  ofKind,
  TARGET_DELIVERIES,
} from '../../../../functions/delivery/kinds/registry.ts';

const kinds = Object.entries(DELIVERIES).map(([name, { kind }]) => ({ name, kind }));

it('finds each kind by the name that its messages have', () => {
  for (const { name, kind } of kinds) expect(kind.name).toBe(name);
  for (const [name, { kind }] of Object.entries(TARGET_DELIVERIES)) expect(kind.name).toBe(name);
});

it.each([
  ['area', () => kinds.map(({ kind }) => kind.area)],
  ['path to unsubscribe', () => kinds.map(({ kind }) => kind.unsubscribe.path)],
  ['beginning of tokens', () => kinds.map(({ kind }) => kind.unsubscribe.prefix)],
  ['key that signs tokens', () => kinds.map(({ kind }) => kind.unsubscribe.purpose)],
])('gives each kind another %s', (_, of) => {
  expect(new Set(of()).size).toBe(kinds.length);
});

it.each<[stage: string, entries: Record<string, unknown>]>([
  ['starts', DELIVERIES],
  ['reads', OPENERS],
  ['composes', COMPOSERS],
  ['sends to targets', TARGET_DELIVERIES],
])('what %s a delivery of an unknown kind fails, and is no dashboard', (_, entries) => {
  for (const name of ['alert', 'constructor', '']) {
    expect(() => ofKind(entries, name)).toThrow(`there are no deliveries of the kind "${name}"`);
  }
});
