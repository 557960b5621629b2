import { describe, expect, it } from 'vitest';
import {
  type Block,
  findQuote,
  newAnchor,
  reanchor,
  type Section,
  type TextAnchor,
} from '../../../../shared/data/rich-text/index.ts';
import { cases } from '../../../support/cases.ts';
import { seededRandom } from '../../../support/seeded-random.ts';
import { type AnchorCase, anchorCase, EDIT_KINDS } from './anchor-cases.ts';
import { block, doc, paragraph } from './documents.ts';

const section = (id: string, texts: Record<string, string>): Section => ({
  id,
  content: doc(...Object.entries(texts).map(([blockId, text]) => block(blockId, paragraph(text)))),
});

function anchorAt(sections: readonly Section[], blockId: string, exact: string, prefix = ''): TextAnchor {
  const { id: sectionId, content } = sections.find(({ content: { content } }) =>
    content.some(({ attrs }) => attrs.id === blockId),
  )!;
  const text = (content.content.find(({ attrs }) => attrs.id === blockId) as Block).content![0]!.text!;
  const found = findQuote(text, { exact, prefix });
  if (found.kind !== 'found') throw new Error(found.kind);
  return newAnchor({ sectionId, blockId, start: found.start, quote: found.quote });
}

describe('findQuote', () => {
  const text = 'Revenue rose in EMEA.\nRevenue fell in APAC, and revenue rose in EMEA again.';

  it('finds the words with the text around them', () => {
    expect(findQuote(text, { exact: 'fell in APAC' })).toEqual({
      kind: 'found',
      start: 30,
      quote: {
        exact: 'fell in APAC',
        prefix: 'Revenue rose in EMEA.\nRevenue ',
        suffix: ', and revenue rose in EMEA again.',
      },
    });
  });

  it('accepts other white space', () => {
    expect(findQuote(text, { exact: 'EMEA. Revenue  fell ' })).toMatchObject({
      quote: { exact: 'EMEA.\nRevenue fell ' },
    });
    expect(findQuote(text, { exact: ' again. ' })).toMatchObject({ quote: { exact: 'again.' } });
  });

  it('needs what is around words that are there twice', () => {
    expect(findQuote(text, { exact: 'rose in EMEA' })).toEqual({ kind: 'ambiguous', count: 2 });
    expect(findQuote(text, { exact: 'rose in EMEA', suffix: ' again' })).toMatchObject({ kind: 'found', start: 56 });
    expect(findQuote(text, { exact: 'rose in EMEA', prefix: 'Churn ' })).toEqual({ kind: 'ambiguous', count: 2 });
    expect(findQuote(text, { exact: 'in' })).toEqual({ kind: 'ambiguous', count: 4 });
    expect(findQuote('aaa', { exact: 'aa' })).toEqual({ kind: 'ambiguous', count: 2 });
  });

  it('reports words that are not there', () => {
    expect(findQuote(text, { exact: 'rose in Iberia' })).toEqual({ kind: 'missing' });
    expect(findQuote(text, { exact: ' \n ' })).toEqual({ kind: 'missing' });
    expect(findQuote(text, { exact: '.*' })).toEqual({ kind: 'missing' });
  });

  it('cuts no character in halves', () => {
    const emoji = '😀'.repeat(60);
    const found = findQuote(`${emoji}x${emoji}`, { exact: 'x' });
    if (found.kind !== 'found') throw new Error(found.kind);
    const shifted = findQuote(`${emoji}ax${emoji}`, { exact: 'x' });
    if (shifted.kind !== 'found') throw new Error(shifted.kind);
    for (const { prefix, suffix } of [found.quote, shifted.quote]) {
      expect(prefix.isWellFormed() && suffix.isWellFormed()).toBe(true);
    }
  });
});

describe('anchors after a change', () => {
  const before = [
    section('s1', {
      a: 'Linus wrote the plan. Robin reviewed the plan, and Robin approved it.',
      b: 'No incidents this week.',
    }),
    section('s2', { c: 'The forecast for Iberia is unchanged.' }),
  ];
  const changed = (a: string, b = 'No incidents this week.', c = 'The forecast for Iberia is unchanged.') => [
    section('s1', { a, b }),
    section('s2', { c }),
  ];
  const follow = (anchor: TextAnchor, sections: Section[], from = before) => reanchor([anchor], from, sections)[0]!;
  const robin = anchorAt(before, 'a', 'Robin', 'and ');

  it('stay where they are in other blocks', () => {
    const anchor = anchorAt(before, 'c', 'Iberia');
    expect(follow(anchor, changed('Something else.', 'Or this.'))).toEqual(anchor);
  });

  it('follow words that move within their block', () => {
    const found = follow(
      robin,
      changed('Today, Linus wrote the plan. Robin reviewed the plan, and Robin approved it.'),
    );
    expect(found).toMatchObject({ state: 'anchored', place: { blockId: 'a', start: 58, quote: { exact: 'Robin' } } });
  });

  it('do not jump to an earlier word after theirs was corrected', () => {
    expect(
      follow(robin, changed('Linus wrote the plan. Robin reviewed the plan, and Alexandra approved it.')).state,
    ).toBe('orphaned');
    expect(
      follow(robin, changed('Linus wrote the plan. Robin reviewed the plan, and Robyn approved it.')),
    ).toMatchObject({
      state: 'anchored',
      place: { start: 51, quote: { exact: 'Robyn' } },
    });
  });

  it('do not settle on similar words', () => {
    const linus = anchorAt(before, 'a', 'Linus');
    expect(follow(linus, changed('The chines are done. Robin reviewed the plan, and Robin approved it.')).state).toBe(
      'orphaned',
    );
  });

  it('follow their text into another block, another section, and back', () => {
    const anchor = anchorAt(before, 'a', 'Linus wrote the plan.');
    const moved = changed(
      'Robin reviewed the plan, and Robin approved it.',
      'No incidents this week.',
      'The forecast for Iberia is unchanged. Linus wrote the plan.',
    );
    const there = follow(anchor, moved);
    expect(there).toMatchObject({ state: 'moved', place: { sectionId: 's2', blockId: 'c', start: 38 } });
    expect(follow(there, before, moved)).toMatchObject({
      state: 'anchored',
      place: { sectionId: 's1', blockId: 'a', start: 0 },
    });
  });

  it('follow a block that moves to another section', () => {
    const anchor = anchorAt(before, 'b', 'incidents');
    const moved = [section('s1', { a: 'x' }), section('s2', { b: 'No incidents this week.', c: 'y' })];
    expect(follow(anchor, moved)).toMatchObject({ state: 'anchored', place: { sectionId: 's2', blockId: 'b' } });
  });

  it('are orphaned with their text, keep its words, and come back with it', () => {
    const anchor = anchorAt(before, 'a', 'Linus wrote the plan.');
    const without = changed('Robin reviewed the plan, and Robin approved it.');
    const orphan = follow(anchor, without);
    expect(orphan).toEqual({ ...anchor, state: 'orphaned', score: 0 });
    const other = changed('Robin reviewed the plan, and Robin approved it. All is well.');
    const still = follow(orphan, other, without);
    expect(still.state).toBe('orphaned');
    expect(follow(still, before, other)).toMatchObject({ state: 'anchored', place: anchor.place });
  });

  it('are orphaned with their block, although another one has the same words', () => {
    const twice = [section('s1', { a: 'No incidents this week.', b: 'No incidents this week.' })];
    const anchor = anchorAt(twice, 'a', 'No incidents this week.');
    expect(follow(anchor, [section('s1', { b: 'No incidents this week.' })], twice).state).toBe('orphaned');
    expect(follow(anchor, [section('s1', { b: 'No incidents this week.', z: 'New.' })], twice).state).toBe('orphaned');
  });

  it('follow a text that is changed again and again', () => {
    const versions = [
      'The forecast for Iberia is unchanged.',
      'The forecast for Iberia remains unchanged.',
      'The forecast for Iberia remains good.',
      'The outlook for Iberia remains good.',
    ];
    const sections = versions.map((text) => [section('s2', { c: `${text} See below.` })]);
    let anchor = anchorAt(sections[0]!, 'c', versions[0]!);
    for (const [index, next] of sections.slice(1).entries()) anchor = follow(anchor, next, sections[index]!);
    expect(anchor).toMatchObject({ state: 'anchored', place: { quote: { exact: versions.at(-1) } } });
    expect(anchor.written.quote.exact).toBe(versions[0]);
  });
});

interface Figures {
  survived: number;
  found: number;
  wrong: number;
  gone: number;
  orphaned: number;
}

/** How much of the place and of the text, which is the longer of both, they have in common. */
function overlap({ place }: TextAnchor, { survivors }: AnchorCase): number {
  const { blockId, start, quote } = place;
  const end = start + quote.exact.length;
  return Math.max(
    0,
    ...survivors
      .filter((each) => each.blockId === blockId)
      .map(
        (each) =>
          (Math.min(end, each.end) - Math.max(start, each.start)) / Math.max(end - start, each.end - each.start),
      ),
  );
}

function evaluate(all: readonly AnchorCase[]): Figures {
  const figures: Figures = { survived: 0, found: 0, wrong: 0, gone: 0, orphaned: 0 };
  for (const each of all) {
    const found = reanchor([each.anchor], each.before, each.after)[0]!;
    const isRight = found.state !== 'orphaned' && overlap(found, each) >= 0.5;
    if (found.state !== 'orphaned' && !isRight) figures.wrong += 1;
    if (each.survival >= 0.8) {
      figures.survived += 1;
      if (isRight) figures.found += 1;
    } else if (each.survival < 0.3) {
      figures.gone += 1;
      if (found.state === 'orphaned') figures.orphaned += 1;
    }
  }
  return figures;
}

const casesFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_each, index) => anchorCase(first + index, EDIT_KINDS[index % EDIT_KINDS.length]!));

describe('anchors of 500 cases on which nothing was tuned', () => {
  // The cases of seeds below 300,000 were looked at while the rules were made.
  it.each(EDIT_KINDS)('has cases of %s', (kind) => {
    expect(casesFrom(300_000, 500).filter((each) => each.kind === kind).length).toBeGreaterThan(60);
  });

  it('are found again in 95 %, wrong in at most 0.5 %, and orphaned whenever their text is deleted', () => {
    const { survived, found, wrong, gone, orphaned } = evaluate(casesFrom(300_000, 500));
    expect(found / survived).toBeGreaterThanOrEqual(0.95);
    expect(wrong / 500).toBeLessThanOrEqual(0.005);
    expect(orphaned).toBe(gone);
  });

  it('stay as good with many more cases', () => {
    const count = cases(700, 14_000);
    const { survived, found, wrong } = evaluate(casesFrom(400_000, count));
    expect(found / survived).toBeGreaterThanOrEqual(0.95);
    expect(wrong / count).toBeLessThanOrEqual(0.005);
  });
});

describe('the time that 200 anchors in 64 KiB take', () => {
  const random = seededRandom(7);
  const word = () =>
    Array.from({ length: 2 + Math.floor(random() * 9) }, () =>
      String.fromCharCode(97 + Math.floor(random() * 26)),
    ).join('');
  const vocabulary = Array.from({ length: 4000 }, word);
  const textOf = (length: number) => {
    let text = '';
    // Few words are frequent, as in any language.
    while (text.length < length) text += `${vocabulary[Math.floor(random() ** 3 * vocabulary.length)]} `;
    return text.slice(0, length);
  };
  const sectionOf = (texts: readonly string[]) => [
    section('s', Object.fromEntries(texts.map((text, index) => [`b${index}`, text]))),
  ];

  it.each([
    ['an edit of one block', 100, (text: string, index: number) => (index === 0 ? `${text} More.` : text)],
    ['typos everywhere', 100, (text: string) => text.replaceAll(/e/g, () => (random() < 0.02 ? 'a' : 'e'))],
    ['a rewritten section', 100, (text: string) => textOf(text.length)],
    ['typos in a single block', 1, (text: string) => text.replaceAll(/e/g, () => (random() < 0.02 ? 'a' : 'e'))],
    ['a rewritten single block', 1, (text: string) => textOf(text.length)],
  ])('is far below a quarter of a second: %s', (_name, count, edit) => {
    const texts = Array.from({ length: count }, () => textOf(65_536 / count));
    const [before, after] = [sectionOf(texts), sectionOf(texts.map(edit))];
    const anchors = Array.from({ length: 200 }, () => {
      const at = Math.floor(random() * count);
      const length = 10 + Math.floor(random() * 150);
      const start = Math.floor(random() * (texts[at]!.length - length));
      const quote = {
        exact: texts[at]!.slice(start, start + length),
        prefix: texts[at]!.slice(Math.max(0, start - 64), start),
        suffix: texts[at]!.slice(start + length, start + length + 64),
      };
      return newAnchor({ sectionId: 's', blockId: `b${at}`, start, quote });
    });
    reanchor(anchors, before, after);
    // The processor time, because other programs may share the processor.
    const begin = process.cpuUsage();
    reanchor(anchors, before, after);
    const { user, system } = process.cpuUsage(begin);
    expect((user + system) / 1000).toBeLessThan(250);
  });
});
