import MiniSearch, { type SearchResult } from 'minisearch';
import { SEARCH_OPTIONS, type SearchEntry } from './search-options.ts';

type Found = SearchResult & SearchEntry;

const MAX_RESULTS = 30;
const EXCERPT_LENGTH = 160;

/** Connects the search dialog. The index is fetched when the dialog is first opened. */
export function connectSearch(): void {
  const dialog = document.querySelector<HTMLDialogElement>('dialog.search')!;
  const input = dialog.querySelector('input')!;
  const list = dialog.querySelector('ol')!;
  const status = dialog.querySelector('output')!;
  let index: Promise<MiniSearch<SearchEntry>> | undefined;

  const open = () => {
    index ??= loadIndex(dialog.dataset.index!);
    if (!dialog.open) dialog.showModal();
    input.select();
  };
  const show = async () => {
    const query = input.value.trim();
    if (!index || query === '') {
      list.replaceChildren();
      status.textContent = '';
      return;
    }
    const found = find(await index, query);
    // A later input may have been answered before this one.
    if (query !== input.value.trim()) return;
    list.replaceChildren(...found.map(resultItem));
    status.textContent = found.length === 0 ? `Nothing found for “${query}”.` : '';
  };

  input.addEventListener(
    'input',
    () => void show().catch(() => (status.textContent = 'The search index could not be loaded.')),
  );
  list.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close());
  dialog.addEventListener('keydown', (event) => moveFocus(event, input, list));
  for (const button of document.querySelectorAll<HTMLButtonElement>('button.search-open')) {
    button.hidden = false;
    button.addEventListener('click', open);
  }
  document.addEventListener('keydown', (event) => {
    const typing =
      event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]');
    const wanted = (event.key === 'k' && (event.ctrlKey || event.metaKey)) || (event.key === '/' && !typing);
    if (!wanted) return;
    event.preventDefault();
    open();
  });
}

async function loadIndex(address: string): Promise<MiniSearch<SearchEntry>> {
  const reply = await fetch(address);
  if (!reply.ok) throw new Error(`${address} answered ${reply.status}`);
  return MiniSearch.loadJSON(await reply.text(), SEARCH_OPTIONS);
}

/** Entries with all words of the query; if there are none, entries with some of them. */
function find(index: MiniSearch<SearchEntry>, query: string): Found[] {
  const all = index.search(query);
  return (all.length > 0 ? all : index.search(query, { combineWith: 'OR' })).slice(0, MAX_RESULTS) as Found[];
}

function resultItem({ href, kind, title, place, text, terms }: Found): HTMLElement {
  const link = element('a', '');
  link.setAttribute('href', href);
  const excerpt = element('span', 'excerpt');
  excerpt.append(...marked(excerptOf(text, terms), terms));
  const mark = element('span', 'kind', kind);
  mark.dataset.kind = kind.toLowerCase();
  link.append(mark, element('strong', '', title), element('span', 'place', place), excerpt);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function element(tag: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}

/** The part of the text around the first match. */
function excerptOf(text: string, terms: readonly string[]): string {
  const place = wordsOf(terms)?.exec(text)?.index ?? 0;
  const start = Math.max(0, place - EXCERPT_LENGTH / 4);
  const from = start === 0 ? 0 : text.indexOf(' ', start) + 1;
  const cut = text.slice(from, from + EXCERPT_LENGTH);
  return `${from > 0 ? '… ' : ''}${cut}${from + EXCERPT_LENGTH < text.length ? ' …' : ''}`;
}

function marked(text: string, terms: readonly string[]): (string | HTMLElement)[] {
  const words = wordsOf(terms);
  if (!words) return [text];
  return text.split(words).map((part, index) => (index % 2 === 1 ? element('mark', '', part) : part));
}

/** Matches words of the text that start with one of the terms. */
function wordsOf(terms: readonly string[]): RegExp | undefined {
  if (terms.length === 0) return undefined;
  const escaped = terms.map((term) => term.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}])(${escaped.join('|')})`, 'iu');
}

function moveFocus(event: KeyboardEvent, input: HTMLInputElement, list: HTMLElement): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const stops: HTMLElement[] = [input, ...list.querySelectorAll('a')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  const next = stops[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
