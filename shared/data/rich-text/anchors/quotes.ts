/** A part of the text of a block with what surrounds it, as in the `TextQuoteSelector` of W3C. */
export interface Quote {
  exact: string;
  prefix: string;
  suffix: string;
}

/** A quote as clients send it. */
export interface GivenQuote {
  exact: string;
  prefix?: string | undefined;
  suffix?: string | undefined;
}

export const MAX_QUOTE_LENGTH = 1000;
/** The length of the text before and after a quote. */
export const CONTEXT_LENGTH = 64;
/** The same with longer white space than in the text that a client sends. */
const MAX_CONTEXT = 2 * CONTEXT_LENGTH;

export type FoundQuote =
  | { kind: 'found'; start: number; quote: Quote }
  | { kind: 'ambiguous'; count: number }
  | { kind: 'missing' };

/** The quote of a part of a text, with the text around it. */
export const quoteAt = (text: string, start: number, end: number, length = CONTEXT_LENGTH): Quote => ({
  exact: text.slice(start, end),
  prefix: text.slice(Math.max(0, start - length), start).replace(/^[\udc00-\udfff]/, ''),
  suffix: text.slice(end, end + length).replace(/[\ud800-\udbff]$/, ''),
});

/**
 * Finds a quote in the text of a block. White space may differ, because browsers select it differently. If the words
 * are there more than once, what surrounds them decides; if it does not, the quote is ambiguous.
 */
export function findQuote(text: string, { exact, prefix = '', suffix = '' }: GivenQuote): FoundQuote {
  const all = occurrencesOf(text, exact);
  const [before, after] = [squeezed(prefix), squeezed(suffix)];
  const fitting = all.filter(({ start, end }) => {
    const around = quoteAt(text, start, end, MAX_CONTEXT);
    return squeezed(around.prefix).endsWith(before) && squeezed(around.suffix).startsWith(after);
  });
  const found = all.length === 1 ? all : fitting;
  if (found.length === 1) {
    const { start, end } = found[0]!;
    return { kind: 'found', start, quote: quoteAt(text, start, end) };
  }
  return all.length === 0 ? { kind: 'missing' } : { kind: 'ambiguous', count: fitting.length || all.length };
}

const SPECIAL = /[$()*+.?[\\\]^{|}]/g;

/** Browsers may add white space at the ends of a selection, so the words count if nothing else is found. */
function occurrencesOf(text: string, exact: string): { start: number; end: number }[] {
  if (exact.trim() === '') return [];
  const found = matchesOf(text, exact);
  return found.length > 0 ? found : matchesOf(text, exact.trim());
}

function matchesOf(text: string, exact: string): { start: number; end: number }[] {
  const words = exact.split(/\s+/).map((word) => word.replaceAll(SPECIAL, '\\$&'));
  const pattern = new RegExp(words.join('\\s+'), 'g');
  const found: { start: number; end: number }[] = [];
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    found.push({ start: match.index, end: match.index + match[0].length });
    // Occurrences may overlap.
    pattern.lastIndex = match.index + 1;
  }
  return found;
}

const squeezed = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
