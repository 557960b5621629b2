/** How texts become words, for the index and for queries alike. */

const MARKS = /\p{M}+/gu;
const RUNS = /[\p{L}\p{N}]+/gu;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** Where the parts of `orderLines2024` or `HTTPServer` begin. Codes such as `q4` and the parts of ids stay whole. */
const SEAMS = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L}{3})(?=\p{N})|(?<=\p{N})(?=\p{L}{3})/u;
const MAX_WORD = 64;
/** No word has it. */
const STEM_MARK = '~';

/** Without case, accents and compatibility forms. */
export const fold = (text: string): string => text.normalize('NFKD').replace(MARKS, '').toLowerCase();

/** A text as exact names are compared. */
export const foldName = (text: string): string => fold(text).trim().replace(/\s+/g, ' ');

export interface Word {
  /** Folded. */
  text: string;
  /** The place in the text, in UTF-16 code units. */
  from: number;
  to: number;
}

/** The words of a text in their order, with compound identifiers in parts. */
export function wordsOf(text: string): Word[] {
  return [...text.matchAll(RUNS)].flatMap(({ 0: run, index }) => partsOf(run, index));
}

/**
 * What the index has for a text: the words, their stems, and compound identifiers as a whole. A stem is marked, because
 * otherwise the beginning of a word would match twice: the word and its stem.
 */
export function indexedTerms(text: string): string[] {
  const terms: string[] = [];
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    const parts = partsOf(run, index);
    if (parts.length > 1 && !UNSPACED.test(run)) terms.push(fold(run).slice(0, MAX_WORD));
    for (const part of parts) {
      terms.push(part.text);
      const stem = stemOf(part.text);
      if (stem !== part.text) terms.push(STEM_MARK + stem);
    }
  }
  return terms;
}

/** The terms of the index that are a word or another form of it, without incomplete words and typos. */
export function formsOf(word: string): string[] {
  const stem = stemOf(word);
  return stem === word ? [word, STEM_MARK + word] : [word, stem, STEM_MARK + stem];
}

/** A term of the index as a word. */
export const wordOfTerm = (term: string): string => (term.startsWith(STEM_MARK) ? term.slice(1) : term);

export const isStemTerm = (term: string): boolean => term.startsWith(STEM_MARK);

function partsOf(run: string, start: number): Word[] {
  if (UNSPACED.test(run)) return pairsOf(run, start);
  const words: Word[] = [];
  let from = start;
  for (const part of run.split(SEAMS)) {
    words.push({ text: fold(part).slice(0, MAX_WORD), from, to: from + part.length });
    from += part.length;
  }
  return words;
}

/** Pairs of neighbouring characters. */
function pairsOf(run: string, start: number): Word[] {
  const characters: Word[] = [];
  let from = start;
  for (const character of run) {
    characters.push({ text: fold(character), from, to: from + character.length });
    from += character.length;
  }
  if (characters.length < 2) return characters;
  return characters.slice(1).map(({ text, to }, index) => {
    const before = characters[index]!;
    return { text: before.text + text, from: before.from, to };
  });
}

const VOWEL = /[aeiouy]/;

/** The common beginning of the inflections of an English word: `prices`, `priced` and `pricing` have the same. */
export function stemOf(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  return ended(withoutPlural(word));
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(ss|x|ch|sh|z)es$/.test(word)) return word.slice(0, -2);
  return /[^siu]s$/.test(word) ? word.slice(0, -1) : word;
}

function ended(word: string): string {
  const suffix = /(?:ing|ed)$/.exec(word);
  const rest = suffix ? word.slice(0, suffix.index) : word;
  const isSuffix = suffix !== null && rest.length >= 3 && VOWEL.test(rest);
  const stem = isSuffix ? rest.replace(/([^aeiouls])\1$/, '$1') : word;
  if (stem.length > 3 && stem.endsWith('e')) return stem.slice(0, -1);
  return stem.length > 3 && stem.endsWith('y') ? `${stem.slice(0, -1)}i` : stem;
}
