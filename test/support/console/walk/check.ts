import type { Rules } from '../walk-types.ts';
import { isOutOfReach, isShortened, lookAgain, nameOf } from './layout.ts';

declare const axe: {
  run(context: object, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
};

const RULES: Readonly<Record<Rules, readonly string[] | undefined>> = {
  all: undefined,
  colors: ['color-contrast', 'link-in-text-block'],
  none: [],
};

const checked = new Set<string>();
/** How often axe has run. */
export let axeRuns = 0;

/** What is wrong with the page as it stands: sideways scroll, and violations of accessibility. */
export async function issuesOfPage(rules: Rules): Promise<string[]> {
  return [...overflow(), ...(await violations(rules))];
}

function overflow(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  return [`scrolls sideways by ${scrollWidth - clientWidth} px: ${widest()}`];
}

/** The innermost element that is as wide as the page has become. */
function widest(): string {
  const { clientWidth } = document.documentElement;
  const wide = [...document.body.querySelectorAll('*')].filter(
    (element) => element.getBoundingClientRect().right > clientWidth + 1,
  );
  return wide.slice(-1).map(nameOf)[0] ?? 'nothing in particular';
}

async function violations(rules: Rules): Promise<string[]> {
  const values = RULES[rules];
  if (values?.length === 0) return [];
  // Markup that was checked in this form before has the same result, whatever numbers it shows.
  const markup = (document.querySelector('main')?.innerHTML ?? '').replaceAll(/\d+/g, '0');
  if (checked.has(markup)) return [];
  const isFirst = checked.size === 0;
  checked.add(markup);
  axeRuns += 1;
  // The frame around the screens is the same for all of them.
  const context = isFirst ? document : { include: [['html']], exclude: [['.top'], ['.frame > nav']] };
  const { violations: found } = await axe.run(context, {
    resultTypes: ['violations'],
    iframes: false,
    ...(values && { runOnly: { type: 'rule', values } }),
  });
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`.slice(0, 600));
}

const ACCENTS: Readonly<Record<string, string>> = {
  ...{ a: 'á', e: 'é', i: 'í', o: 'ö', u: 'ü', c: 'ç', n: 'ñ', s: 'š', y: 'ý', z: 'ž' },
  ...{ A: 'Á', E: 'É', I: 'Í', O: 'Ö', U: 'Ü', C: 'Ç', N: 'Ñ', S: 'Š', Y: 'Ý', Z: 'Ž' },
};
const PADDING = ' weiter und länger als der englische Satz, und noch ein Stück';
/** What is no text of ours, or what an editor owns. */
const NO_TEXT = 'script, style, svg, pre, code, textarea, .cm-editor, [contenteditable]';
/** Longer texts are data. */
const MAX_OURS = 120;

/** A text as a language has it whose words are longer by two fifths, in brackets, so that a missing end is seen. */
const pseudo = (text: string): string =>
  `[${text.replaceAll(/\p{L}/gu, (letter) => ACCENTS[letter] ?? letter)}${PADDING.slice(0, Math.ceil(text.trim().length * 0.4))}]`;

/** What is wrong with the page while each of its texts is longer. Puts the texts back. */
export function issuesOfLongTexts(): string[] {
  const before: (() => void)[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    const text = node.data;
    if (!/\p{L}/u.test(text) || text.length > MAX_OURS || node.parentElement!.closest(NO_TEXT)) continue;
    before.push(() => {
      node.data = text;
    });
    node.data = pseudo(text);
  }
  for (const field of document.querySelectorAll<HTMLInputElement>('input[placeholder]')) {
    const text = field.placeholder;
    before.push(() => {
      field.placeholder = text;
    });
    field.placeholder = pseudo(text);
  }
  const found = [...overflow(), ...cutControls()];
  for (const restore of before) restore();
  return found;
}

/** Buttons and tabs whose text is cut off, or that are beyond the edge of the page. */
function cutControls(): string[] {
  lookAgain();
  const controls = document.querySelectorAll<HTMLElement>('button, a.button, [role=tab], [role=menuitem]');
  return [...controls].flatMap((element) => {
    if (!element.checkVisibility() || element.closest('.sr')) return [];
    if (element.scrollWidth > element.clientWidth + 1 && !isShortened(element)) return [`cut: ${nameOf(element)}`];
    return isOutOfReach(element) ? [`beyond the edge: ${nameOf(element)}`] : [];
  });
}
