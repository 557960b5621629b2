import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventMessage } from '../../../functions/events/workers/fan-out-events/event-message.ts';
import { EVENT_NAMES, type EventEnvelope, type EventName } from '../../../shared/domains/events/events/catalogue.ts';
import { cases } from '../../support/cases.ts';

const read = (folder: string, name: EventName) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../events', folder, `${name}.json`), 'utf8'));
const sampleOf = (name: EventName): EventEnvelope => read('outbound', name);

/** Members whose values are words of the platform itself. */
const WORDS = new Set([
  'direction',
  'grain',
  'granteeType',
  'measure',
  'paceStatus',
  'pageUrl',
  'product',
  'reason',
  'state',
  'status',
]);

/** The same value with other texts and numbers; what is not there stays so. */
function changed(value: unknown, text: () => string, number: () => number): unknown {
  if (typeof value === 'string') return text();
  if (typeof value === 'number') return number();
  if (Array.isArray(value)) return value.map((item) => changed(item, text, number));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, WORDS.has(name) ? inner : changed(inner, text, number)]),
  );
}

/** Every text that a chat tool would read as markup. */
const textsOf = ({ text, blocks }: ReturnType<typeof eventMessage>): string[] => [
  text,
  ...blocks.flatMap((block) => {
    if ('elements' in block) return block.elements.map((element) => element.text);
    return 'fields' in block ? block.fields.map((field) => field.text) : [block.text.text];
  }),
];

/** The only link, to a page of ours: its address is no text of a person. */
const PAGE_LINK = /<https:\/\/analytics\.example\.com\/api\/d\/stories\/[0-9a-f-]+\|Open the story>/;

/** What is left of the marks when those that came with the data, which can do nothing, are taken away. */
const marksOf = (text: string) =>
  text.replaceAll(/\u200b([*_~`|[\]@#]|:|&gt;)\u200b/g, '').replaceAll(/[^*_~`|[\]@#<>]/g, '');

const blockMarks = (message: ReturnType<typeof eventMessage>) => textsOf(message).slice(1).map(marksOf).join('');

function assertWithinLimits(message: ReturnType<typeof eventMessage>): void {
  expect(message.text.length).toBeGreaterThan(0);
  expect(message.text.length).toBeLessThanOrEqual(4000);
  expect(message.blocks.length).toBeLessThanOrEqual(50);
  for (const block of message.blocks) {
    if ('elements' in block) expect(block.elements.length).toBeLessThanOrEqual(10);
    else if ('fields' in block) {
      expect(block.fields.length).toBeLessThanOrEqual(10);
      for (const field of block.fields) expect(field.text.length).toBeLessThanOrEqual(2000);
    } else expect(block.text.text.length).toBeLessThanOrEqual(3000);
  }
  for (const text of textsOf(message)) expect(text.length).toBeGreaterThan(0);
}

const HOSTILE = [
  '<!channel>',
  '<!here|all is well>',
  '<@U123>',
  '<https://evil.example|the report>',
  '[the report](https://evil.example)',
  '![x](https://evil.example/x.png)',
  'https://evil.example/?a=1&b=2',
  '@channel',
  '@everyone',
  '#general',
  '*bold* _italic_ ~struck~ `code`',
  '```\ncode\n```',
  '&lt;!channel&gt;',
  '&amp;lt;!channel&amp;gt;',
  '> quoted',
  'line\r\nline\u2028line\u0085line',
  'right\u202eto\u2066left',
  'zero\u200bwidth\ufeff',
  '\0\u0007\u001b[31m',
  '\ud800',
  '',
  ' \t ',
  '\u200b',
  '😀'.repeat(1000),
  '&'.repeat(100_000),
  '*'.repeat(100_000),
  '<'.repeat(249),
];

const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 600 }),
  fc.array(fc.constantFrom(...HOSTILE), { maxLength: 5 }).map((parts) => parts.join('')),
);

describe('a chat message', () => {
  it.each(EVENT_NAMES)('describes %s as the sample shows', (name) => {
    expect(eventMessage(sampleOf(name))).toEqual(read('outbound-chat', name));
  });

  it('has one readable line per metric of a digest, with its pace', () => {
    const { blocks } = eventMessage(sampleOf('digest.sent'));
    expect((blocks[1] as { text: { text: string } }).text.text.split('\n')).toEqual([
      '*Revenue*: $318.2k (−4.1%), behind target $350,000',
      '*New customers*: 112 (+12%), ahead of target 100',
      '*Refund rate*: –, no target',
    ]);
  });

  it.each(EVENT_NAMES)('of %s can be made to mean nothing else by any text in the data', (name) => {
    const sample = sampleOf(name);
    const harmless = changed(
      sample.data,
      () => 'x',
      () => 1,
    );
    const marks = blockMarks(eventMessage({ ...sample, data: harmless } as EventEnvelope));
    fc.assert(
      fc.property(fc.infiniteStream(hostileText), fc.infiniteStream(fc.double()), (texts, numbers) => {
        const text = () => texts.next().value as string;
        const number = () => numbers.next().value as number;
        const message = eventMessage({ ...sample, data: changed(sample.data, text, number) } as EventEnvelope);
        assertWithinLimits(message);
        for (const shown of textsOf(message)) {
          expect(shown).not.toMatch(/&(?!amp;|lt;|gt;)/);
          expect(shown).not.toMatch(/(?![\n\u200b-\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
          expect(shown.replace(PAGE_LINK, '')).not.toContain('://');
        }
        expect(blockMarks(message)).toBe(marks);
        expect(JSON.stringify(message)).not.toMatch(/<!|<@|\]\(|\\ud[89ab]/);
      }),
      { numRuns: cases(60, 400) },
    );
  });

  it('stays within what chat tools take, however much there is to report', () => {
    const sample = sampleOf('digest.sent') as Extract<EventEnvelope, { event: 'digest.sent' }>;
    const [metric] = sample.data.metrics;
    for (const text of ['&'.repeat(1000), 'a'.repeat(200), 'b']) {
      for (const count of [0, 1, 100, 1000]) {
        const one = { ...metric!, metricName: text, displayValue: text };
        const data = { ...sample.data, digestName: text, metrics: Array<typeof one>(count).fill(one) };
        const message = eventMessage({ ...sample, data });
        assertWithinLimits(message);
        const reported = message.blocks
          .flatMap((block) => ('text' in block ? block.text.text.split('\n') : []))
          .slice(1);
        const [, left = '0'] = /^… and (\d+) more$/.exec(reported.at(-1) ?? '') ?? [];
        expect(reported.filter((line) => !line.startsWith('…')).length + Number(left)).toBe(count);
      }
    }
  });

  it('names an event that it does not know instead of failing', () => {
    const unknown = { event: 'model.re_*created*', timestamp: '2026-11-21T10:15:30.412Z', data: {} };
    expect(eventMessage(unknown as unknown as EventEnvelope).text).toContain('model.re');
    const old = { ...sampleOf('digest.sent'), data: {} };
    expect(eventMessage(old as unknown as EventEnvelope).text).toContain('digest.sent');
  });
});
