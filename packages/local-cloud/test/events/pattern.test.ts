import { TestEventPatternCommand } from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestEvents } from './support/test-events.ts';

let test: TestEvents;
beforeAll(async () => {
  test = await TestEvents.start();
});
afterAll(() => test.close());

const EVENT = {
  id: '1',
  account: '000000000000',
  region: 'us-east-1',
  time: '2026-01-01T00:00:00Z',
  source: 'shop',
  'detail-type': 'order placed',
  resources: ['arn:one', 'arn:two'],
  detail: {
    state: 'Paid',
    total: 120.5,
    gift: false,
    note: null,
    tags: [],
    file: 'reports/2026/a.csv',
    address: '10.0.7.9',
    home: '2001:db8::17',
    'customer.tier': 'gold',
    lines: [
      { sku: 'A', count: 1 },
      { sku: 'B', count: 5, colours: ['red', 'blue'] },
    ],
  },
};

const matches = async (pattern: unknown) => {
  const EventPattern = typeof pattern === 'string' ? pattern : JSON.stringify(pattern);
  const command = new TestEventPatternCommand({ Event: JSON.stringify(EVENT), EventPattern });
  return (await test.client.send(command)).Result;
};

describe('an event pattern', () => {
  it.each([
    ['exact text', { source: ['shop', 'bank'] }],
    ['numbers, booleans and null', { detail: { total: [120.5], gift: [false], note: [null] } }],
    ['one of a list of values', { resources: ['arn:two'] }],
    ['a prefix', { detail: { file: [{ prefix: 'reports/' }] } }],
    ['a prefix in any case', { detail: { file: [{ prefix: { 'equals-ignore-case': 'REPORTS/' } }] } }],
    ['a suffix', { detail: { file: [{ suffix: '.csv' }] } }],
    ['a suffix in any case', { detail: { file: [{ suffix: { 'equals-ignore-case': '.CSV' } }] } }],
    ['a wildcard', { detail: { file: [{ wildcard: 'reports/*/*.csv' }] } }],
    ['any case', { detail: { state: [{ 'equals-ignore-case': 'PAID' }] } }],
    ['anything but a value', { detail: { state: [{ 'anything-but': 'Open' }] } }],
    ['anything but values', { detail: { total: [{ 'anything-but': [1, 2] }] } }],
    ['anything but a prefix', { detail: { state: [{ 'anything-but': { prefix: 'Op' } }] } }],
    ['anything but suffixes', { detail: { file: [{ 'anything-but': { suffix: ['.txt', '.md'] } }] } }],
    ['anything but in any case', { detail: { state: [{ 'anything-but': { 'equals-ignore-case': ['open'] } }] } }],
    ['anything but a wildcard', { detail: { file: [{ 'anything-but': { wildcard: '*/b*.csv' } }] } }],
    ['a number range', { detail: { total: [{ numeric: ['>', 100, '<=', 120.5] }] } }],
    ['a number', { detail: { total: [{ numeric: ['=', 120.5] }] } }],
    ['a field that exists, null included', { detail: { note: [{ exists: true }] } }],
    ['a field that does not exist', { detail: { absent: [{ exists: false }] } }],
    ['an IPv4 network', { detail: { address: [{ cidr: '10.0.0.0/16' }] } }],
    ['an IPv6 network', { detail: { home: [{ cidr: '2001:db8::/32' }] } }],
    ['either of two branches', { $or: [{ source: ['bank'] }, { detail: { state: ['Paid'] } }] }],
    ['a branch inside a branch', { detail: { $or: [{ total: [1] }, { $or: [{ gift: [true] }, { note: [null] }] }] } }],
    ['fields of one element of a list', { detail: { lines: { sku: ['B'], count: [{ numeric: ['>', 2] }] } } }],
    ['a list within a list', { detail: { lines: { colours: ['blue'], sku: ['B'] } } }],
    ['dotted names either way', { detail: { customer: { tier: ['gold'] } } }],
  ])('accepts %s', async (_what, pattern) => {
    expect(await matches(pattern)).toBe(true);
  });

  it.each([
    ['text in another case', { detail: { state: ['paid'] } }],
    ['a number as text', { detail: { total: ['120.5'] } }],
    ['a missing field', { detail: { absent: ['x'] } }],
    ['a missing field, even by anything-but', { detail: { absent: [{ 'anything-but': 'x' }] } }],
    ['an excluded value', { detail: { state: [{ 'anything-but': ['Open', 'Paid'] }] } }],
    ['an excluded prefix', { detail: { state: [{ 'anything-but': { prefix: ['Pa', 'Op'] } }] } }],
    ['a number outside the range', { detail: { total: [{ numeric: ['>', 120.5] }] } }],
    ['text by a numeric condition', { detail: { state: [{ numeric: ['>', 0] }] } }],
    ['a group as a field that exists', { detail: [{ exists: true }] }],
    ['an empty list as a field that exists', { detail: { tags: [{ exists: true }] } }],
    ['a present field that must not exist', { detail: { state: [{ exists: false }] } }],
    ['an address outside the network', { detail: { address: [{ cidr: '10.1.0.0/16' }] } }],
    ['a wildcard that must span too little', { detail: { file: [{ wildcard: '*.txt' }] } }],
    ['fields of different elements of a list', { detail: { lines: { sku: ['A'], count: [5] } } }],
    ['neither of two branches', { $or: [{ source: ['bank'] }, { detail: { state: ['Open'] } }] }],
    ['one field of two', { source: ['shop'], detail: { state: ['Open'] } }],
  ])('does not match %s', async (_what, pattern) => {
    expect(await matches(pattern)).toBe(false);
  });

  it.each([
    ['["a list"]', 'Filter is not an object'],
    ['{"source":"shop"}', '"source" must be an object or an array'],
    ['{"source":[]}', 'Empty arrays are not allowed'],
    ['{"source":[{"like":"x"}]}', 'Unrecognized match type like'],
    ['{"source":[{"prefix":1}]}', 'prefix match pattern must be a string'],
    ['{"source":[{"wildcard":"a**"}]}', 'Consecutive wildcard characters at pos 1'],
    ['{"a":[{"numeric":[">","1"]}]}', 'Value of > must be numeric'],
    ['{"a":[{"numeric":["~",1]}]}', 'Bad numeric range operator: ~'],
    ['{"a":[{"cidr":"10.0.0.0"}]}', "Malformed CIDR, one '/' required"],
    ['{"a":[{"anything-but":[1,"x"]}]}', 'mixed type is not supported'],
    ['{"a":[{"anything-but":{"prefix":""}}]}', 'Null prefix/suffix not allowed'],
    ['{"a":[{"exists":1}]}', 'exists match pattern must be either true or false.'],
    ['{"$or":[{"a":[1]}]}', '$or must be an array'],
    ['{"source"', 'Event pattern is not valid.'],
  ])('is rejected as %s', async (pattern, reason) => {
    await expect(matches(pattern)).rejects.toMatchObject({
      name: 'InvalidEventPatternException',
      message: expect.stringContaining(reason),
    });
  });

  it('matches an escaped wildcard character literally', async () => {
    expect(await matches({ detail: { file: [{ wildcard: 'reports/\\*/a.csv' }] } })).toBe(false);
  });
});
