import { distance } from 'fastest-levenshtein';
import {
  type Block,
  findQuote,
  newAnchor,
  type Section,
  type TextAnchor,
} from '../../../../shared/data/rich-text/index.ts';
import { seededRandom } from '../../../support/seeded-random.ts';
import { block, doc, paragraph } from './documents.ts';

/**
 * Cases for finding the texts of anchors again: a story of sentences that resemble each other, as those of reports do,
 * an anchor, and an edit. Each character knows whether it belonged to the quote, so that the right place is known.
 */

export const EDIT_KINDS = ['typo', 'reword', 'move', 'split', 'duplicate', 'delete', 'rewrite'] as const;
export type EditKind = (typeof EDIT_KINDS)[number];

export interface AnchorCase {
  kind: EditKind;
  anchor: TextAnchor;
  before: Section[];
  after: Section[];
  /** Where the text is now, if it is the same text still; several places if it was duplicated. */
  survivors: { blockId: string; start: number; end: number }[];
  /** The part of the characters of the quote that are still together. */
  survival: number;
}

/** A character; `mark` is its place in the quote. */
interface Char {
  text: string;
  mark?: number;
}
interface EditedBlock {
  id: string;
  sectionId: string;
  chars: Char[];
}

interface Random {
  pick: <T>(list: readonly T[]) => T;
  /** A whole number, both ends included. */
  between: (from: number, to: number) => number;
}

function randomOf(seed: number): Random {
  const next = seededRandom(seed);
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return { between, pick: (list) => list[between(0, list.length - 1)]! };
}

const REGIONS = ['EMEA', 'APAC', 'Iberia', 'Benelux', 'North America', 'Latin America', 'the Nordics', 'France'];
const MEASURES = [
  'Revenue',
  'Gross margin',
  'Churn',
  'Pipeline',
  'Headcount',
  'Net retention',
  'Conversion',
  'Activation',
];
const TEAMS = ['sales', 'support', 'growth', 'finance', 'the platform team', 'marketing'];
const VERBS = ['rose', 'fell', 'grew', 'slipped', 'improved', 'declined'];
const CAUSES = [
  'a large renewal',
  'seasonal demand',
  'late invoices',
  'the new pricing',
  'fewer trials',
  'the outage in week 32',
  'higher discounts',
];

const SENTENCES: ((pick: <T>(list: readonly T[]) => T, number: () => number) => string)[] = [
  (pick, number) => `${pick(MEASURES)} in ${pick(REGIONS)} ${pick(VERBS)} by ${number()} % because of ${pick(CAUSES)}.`,
  (pick, number) => `${pick(MEASURES)} ${pick(VERBS)} from ${number()} to ${number()} compared with last quarter.`,
  (pick) => `We expect ${pick(REGIONS)} to recover next month, once ${pick(CAUSES)} is behind us.`,
  (pick) => `We expect ${pick(TEAMS)} to present a plan by Friday.`,
  (pick, number) => `The target for ${pick(REGIONS)} is ${number()} million, of which ${number()} % is booked.`,
  () => 'No incidents this week.',
  (pick, number) => `${number()} of ${number()} accounts in ${pick(REGIONS)} renewed early.`,
  (pick) => `This is mostly due to ${pick(CAUSES)}, as ${pick(TEAMS)} pointed out.`,
  (pick) => `This is partly due to ${pick(CAUSES)}, as ${pick(TEAMS)} pointed out.`,
  (pick) => `Next steps: ${pick(TEAMS)} reviews the numbers with ${pick(TEAMS)}.`,
  (_pick, number) => `See the chart below for the last ${number()} weeks.`,
  (pick) => `Should we pause the campaign in ${pick(REGIONS)} until ${pick(TEAMS)} has an answer?`,
  (_pick, number) => `The experiment ended after ${number()} days without a clear winner.`,
  (pick, number) =>
    `In ${pick(REGIONS)}, ${pick(MEASURES).toLowerCase()} ${pick(VERBS)} for the ${number()}th week in a row.`,
];

const WORDS: Record<string, string> = {
  rose: 'went up',
  fell: 'went down',
  grew: 'increased',
  slipped: 'dropped',
  declined: 'decreased',
  because: 'on account',
  mostly: 'largely',
  partly: 'in part',
  expect: 'want',
  plan: 'proposal',
  large: 'big',
  weeks: 'months',
  early: 'ahead',
  reviews: 'checks',
  booked: 'closed',
  once: 'when',
  due: 'owed',
  numbers: 'figures',
  compared: 'as',
  present: 'show',
  below: 'above',
};

const sentence = (random: Random): string =>
  random.pick(SENTENCES)(
    (list) => random.pick(list),
    () => random.between(2, 40),
  );

const charsOf = (text: string): Char[] => [...text].map((each) => ({ text: each }));
const textOf = (chars: readonly Char[]): string => chars.map(({ text }) => text).join('');

function randomBlocks(random: Random): EditedBlock[] {
  const count = random.between(4, 10);
  return Array.from({ length: count }, (_each, index) => {
    const sentences = Array.from({ length: random.between(1, 6) }, () => sentence(random));
    return { id: `b${index}`, sectionId: index < count / 2 ? 's1' : 's2', chars: charsOf(sentences.join(' ')) };
  });
}

const sectionsOf = (blocks: readonly EditedBlock[]): Section[] =>
  ['s1', 's2'].map((id) => ({
    id,
    content: doc(
      ...blocks.filter(({ sectionId }) => sectionId === id).map(({ id: blockId, chars }) => blockOf(blockId, chars)),
    ),
  }));

const blockOf = (id: string, chars: readonly Char[]): Block =>
  block(id, chars.length > 0 ? paragraph(textOf(chars)) : paragraph());

interface Range {
  start: number;
  end: number;
}

/** The sentences of a text, each with the space behind it. */
function sentencesIn(text: string): Range[] {
  return [...text.matchAll(/[^.?:]+[.?:]?\s*/g)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }));
}

/** A sentence, a part of one, or two of them. */
function randomRange(text: string, random: Random): Range {
  const sentences = sentencesIn(text);
  const at = random.between(0, sentences.length - 1);
  const { start } = sentences[at]!;
  const last = random.between(0, 9) === 0 ? Math.min(at + 1, sentences.length - 1) : at;
  const end = start + text.slice(start, sentences[last]!.end).trimEnd().length;
  if (random.between(0, 1) === 0) return { start, end };
  const words = [...text.slice(start, end).matchAll(/\S+/g)].map(({ 0: word, index }) => ({
    start: start + index,
    end: start + index + word.length,
  }));
  const first = random.between(0, words.length - 1);
  return { start: words[first]!.start, end: words[random.between(first, Math.min(words.length - 1, first + 7))]!.end };
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

function typo(chars: Char[], { start, end }: Range, random: Random): void {
  const at = random.between(start, end - 1);
  const letter: Char = { text: LETTERS[random.between(0, 25)]! };
  const kind = random.between(0, 3);
  if (kind === 0) chars.splice(at, 1);
  else if (kind === 1) chars.splice(at, 1, letter);
  else if (kind === 2) chars.splice(at, 0, letter);
  else if (at + 1 < end) chars.splice(at, 2, chars[at + 1]!, chars[at]!);
}

/** Replaces, adds or leaves out words, up to a share of the characters. */
function reword(chars: Char[], range: Range, random: Random, share: number): void {
  let room = Math.floor((range.end - range.start) * share);
  for (let tries = 0; tries < 6 && room > 0; tries += 1) {
    const text = textOf(chars.slice(range.start, range.end));
    const words = [...text.matchAll(/[\p{L}\d]+/gu)];
    if (words.length === 0) return;
    const word = random.pick(words);
    const at = range.start + word.index;
    const known = WORDS[word[0]];
    const next =
      known ??
      (/^\d+$/.test(word[0]) ? String(random.between(2, 99)) : `${random.pick(['very', 'quite', 'still'])} ${word[0]}`);
    const cost = known
      ? Math.max(known.length, word[0].length)
      : Math.abs(next.length - word[0].length) || word[0].length;
    if (cost > room) continue;
    room -= cost;
    // What is only added leaves the word as it was.
    if (!known && next.endsWith(` ${word[0]}`)) chars.splice(at, 0, ...charsOf(next.slice(0, -word[0].length)));
    else chars.splice(at, word[0].length, ...charsOf(next));
    range.end += next.length - word[0].length;
  }
}

/** The sentences that the range touches. */
function wholeSentences(chars: readonly Char[], { start, end }: Range): Range {
  const touched = sentencesIn(textOf(chars)).filter((each) => each.start < end && each.end > start);
  return { start: touched[0]!.start, end: touched.at(-1)!.end };
}

/** A sentence that is no rewording of the one that it replaces. */
function another(chars: readonly Char[], { start, end }: Range, random: Random): string {
  const old = textOf(chars.slice(start, end)).trim();
  const next = sentence(random);
  return distance(old, next) > old.length / 2 ? next : another(chars, { start, end }, random);
}

function applyEdit(kind: EditKind, blocks: EditedBlock[], target: EditedBlock, range: Range, random: Random): void {
  const { chars } = target;
  const whole = wholeSentences(chars, range);
  const somewhere = (inBlock: EditedBlock) =>
    random.pick([0, ...sentencesIn(textOf(inBlock.chars)).map(({ end }) => end)]);
  if (kind === 'typo') typo(chars, range, random);
  if (kind === 'reword') reword(chars, range, random, 0.2);
  if (kind === 'delete') {
    // The sentence, or the words alone.
    const { start, end } = random.between(0, 2) === 0 ? range : whole;
    chars.splice(start, end - start);
  }
  if (kind === 'rewrite')
    chars.splice(whole.start, whole.end - whole.start, ...charsOf(`${another(chars, whole, random)} `));
  if (kind === 'duplicate') {
    const copy = chars.slice(whole.start, whole.end).map((char) => ({ ...char }));
    const other = random.between(0, 1) === 0 ? target : random.pick(blocks);
    other.chars.splice(somewhere(other), 0, ...copy);
  }
  if (kind === 'move') {
    const moved = chars.splice(whole.start, whole.end - whole.start);
    const other = random.between(0, 2) === 0 ? target : random.pick(blocks);
    other.chars.splice(somewhere(other), 0, ...moved);
  }
  if (kind === 'split') {
    const at = random.pick([whole.start, whole.end, random.between(0, chars.length)]);
    const rest = chars.splice(at);
    blocks.splice(blocks.indexOf(target) + 1, 0, { ...target, id: `${target.id}-split`, chars: rest });
  }
}

/** Other edits of the same save, which leave the quote alone. */
function noise(blocks: EditedBlock[], random: Random): void {
  for (let count = random.between(0, 3); count > 0; count -= 1) {
    const target = random.pick(blocks);
    const ranges = sentencesIn(textOf(target.chars)).filter(({ start, end }) =>
      target.chars.slice(start, end).every(({ mark }) => mark === undefined),
    );
    if (ranges.length === 0) continue;
    const kind = random.pick(EDIT_KINDS.filter((each) => each !== 'split'));
    applyEdit(kind, blocks, target, { ...random.pick(ranges) }, random);
  }
}

/** Where most characters of the quote are still together. */
function survivorsOf(blocks: readonly EditedBlock[], length: number) {
  const found = blocks.flatMap(({ id, chars }) => runsOf(chars, length).map((run) => ({ blockId: id, ...run })));
  const survival = Math.max(0, ...found.map(({ share }) => share));
  return { survivors: found.filter(({ share }) => share >= 0.5), survival };
}

/** Groups the marked characters of a block into copies of the quote. */
function runsOf(chars: readonly Char[], length: number): (Range & { share: number })[] {
  const copies: { start: number; end: number; count: number; last: number }[] = [];
  for (const [at, { mark }] of chars.entries()) {
    if (mark === undefined) continue;
    const current = copies.at(-1);
    const continues = current && mark > current.last - 2 && at - current.end <= length / 2 + 2;
    if (continues)
      Object.assign(current, { end: at + 1, count: current.count + 1, last: Math.max(mark, current.last) });
    else copies.push({ start: at, end: at + 1, count: 1, last: mark });
  }
  return copies.map(({ start, end, count }) => ({ start, end, share: count / length }));
}

/** Whether a sentence of the range stands twice in a row: if one of them is deleted, no text tells which. */
function isBesideItself(text: string, range: Range): boolean {
  const sentences = sentencesIn(text).map((each) => ({ ...each, words: text.slice(each.start, each.end).trim() }));
  return sentences.some(
    ({ start, end, words }, index) =>
      start < range.end &&
      end > range.start &&
      [sentences[index - 1], sentences[index + 1]].some((next) => next?.words === words),
  );
}

/** How often the words of the quote occur in text that did not belong to it. */
const repeats = (exact: string, blocks: readonly EditedBlock[]): number =>
  blocks.reduce(
    (sum, { chars }) =>
      sum + textOf(chars.map((char) => (char.mark === undefined ? char : { text: '\u0000' }))).split(exact).length - 1,
    0,
  );

export function anchorCase(seed: number, kind: EditKind): AnchorCase {
  const random = randomOf(seed);
  const blocks = randomBlocks(random);
  const before = sectionsOf(blocks);
  const target = random.pick(blocks);
  const range = randomRange(textOf(target.chars), random);
  const text = textOf(target.chars);
  const exact = text.slice(range.start, range.end);
  const found = findQuote(text, {
    exact,
    prefix: text.slice(Math.max(0, range.start - 32), range.start),
    suffix: text.slice(range.end, range.end + 32),
  });
  // Twice the same words with the same words around them.
  if (found.kind !== 'found' || found.start !== range.start) return anchorCase(seed + 1_000_003, kind);
  if (isBesideItself(text, range)) return anchorCase(seed + 1_000_003, kind);
  const unedited = blocks.map((each) => ({ ...each, chars: each === target ? [...each.chars] : each.chars.slice() }));
  for (let at = range.start; at < range.end; at += 1) target.chars[at]!.mark = at - range.start;
  applyEdit(kind, blocks, target, { ...range }, random);
  noise(blocks, random);
  // Words that are deleted and typed anew elsewhere in the same save cannot be distinguished from moved ones.
  if (repeats(exact, blocks) > repeats(exact, unedited)) return anchorCase(seed + 1_000_003, kind);
  const place = { sectionId: target.sectionId, blockId: target.id, start: found.start, quote: found.quote };
  return { kind, anchor: newAnchor(place), before, after: sectionsOf(blocks), ...survivorsOf(blocks, exact.length) };
}
