import { foldLabel } from '../../../shared/platform/text/fold-label.ts';
import { el, newName } from './dom.ts';

export interface Term {
  name: string;
  abbreviation: string | null;
  synonyms: string[];
  definition: string;
}

/** What the business glossary says about the names in cards. */
export interface Terms {
  /** Requests the terms that go by these names, each name once. */
  read(names: readonly string[]): Promise<void>;
  /** Explains the names of a card: those of its columns where they stand, and all of them behind a button. */
  show(card: HTMLElement, names: readonly string[]): void;
}

/** The length of an address is limited. */
const MAX_LENGTH = 3000;

/** The approved terms that members of the workspace read. `readTerms` gets names with `|` between them. */
export function glossary(readTerms: (names: string) => Promise<{ items: Term[] }>): Terms {
  const known = new Map<string, Term | undefined>();
  return {
    async read(names) {
      const asked = [...new Set(names.map(foldLabel))].filter(
        (name) => name && !known.has(name) && !name.includes('|'),
      );
      for (const batch of batchesOf(asked)) {
        const { items } = await readTerms(batch.join('|'));
        for (const name of batch) known.set(name, termCalled(name, items));
      }
    },
    show(card, names) {
      for (const header of card.querySelectorAll('th')) {
        const definition = known.get(foldLabel(header.textContent))?.definition;
        if (definition === undefined) continue;
        header.classList.add('term');
        header.title = definition;
      }
      offer(card, [...new Set(names.flatMap((name) => known.get(foldLabel(name)) ?? []))]);
    },
  };
}

/** The name of one term may be a synonym of another: the name comes first. */
const termCalled = (name: string, terms: readonly Term[]): Term | undefined =>
  terms.find((term) => foldLabel(term.name) === name) ??
  terms.find(({ abbreviation, synonyms }) =>
    [abbreviation ?? '', ...synonyms].some((each) => foldLabel(each) === name),
  );

function* batchesOf(names: readonly string[]): Generator<string[]> {
  let batch: string[] = [];
  let length = 0;
  for (const name of names) {
    const more = encodeURIComponent(name).length + 3;
    if (batch.length > 0 && length + more > MAX_LENGTH) {
      yield batch;
      batch = [];
      length = 0;
    }
    batch.push(name);
    length += more;
  }
  if (batch.length > 0) yield batch;
}

/** A button that opens the definitions. It stays as it is, perhaps open, while they do not change. */
function offer(card: HTMLElement, terms: readonly Term[]): void {
  const before = card.querySelector<HTMLElement>('.terms');
  const list = el(
    'dl',
    {},
    ...terms.flatMap(({ name, abbreviation, definition }) => [
      el('dt', {}, abbreviation ? `${name} (${abbreviation})` : name),
      el('dd', {}, definition),
    ]),
  );
  if (before?.querySelector('dl')?.isEqualNode(list)) return;
  before?.remove();
  if (terms.length === 0) return;
  const id = newName('terms');
  const title = card.getAttribute('aria-label') ?? 'this card';
  const button = el(
    'button',
    { type: 'button', class: 'show-data', popovertarget: id, 'aria-label': `Terms in ${title}` },
    'Terms',
  );
  // The focus moves into the list, so that it can be read and scrolled; Escape leads back.
  const labelled = { role: 'group', 'aria-label': `Terms in ${title}`, tabindex: '0', autofocus: true };
  const popover = el('div', { id, popover: 'auto', class: 'definitions', ...labelled }, list);
  card.querySelector('.card-head')?.append(el('span', { class: 'terms' }, button, popover));
}
