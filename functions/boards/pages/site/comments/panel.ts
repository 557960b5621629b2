import { openedSession } from '../api.ts';
import { byId, el } from '../dom.ts';
import { type CommentApi, commentsOf, PAGE_SIZE, type State, type Threads } from './api.ts';
import { editorOf } from './editor.ts';
import { type Showing, threadView } from './threads.ts';

interface Discussed {
  dashboardId: string;
  /** Whether the reader may change the dashboard. */
  mayShare: boolean;
}

/** Where the panel covers the page. */
const NARROW = matchMedia('(width < 900px)');
const STATES = { open: 'Open', resolved: 'Resolved', all: 'All' } as const;

/**
 * A panel with the comments of the dashboard, a button that opens it, and one on each card with its number of open
 * threads.
 */
export async function showComments({ dashboardId, mayShare }: Discussed): Promise<void> {
  const place = byId('comments');
  if (!place) return;
  const api = commentsOf(dashboardId);
  const found = await api.list(null, 'open', { limit: 1 }).catch(() => undefined);
  if (!found) return;
  const { user } = await openedSession();
  const panel = new Panel(api, { readerId: user.id, mayModerate: mayShare });
  place.replaceChildren(panel.opener);
  place.hidden = false;
  document.body.append(panel.element);
  panel.count(found);
}

class Panel {
  readonly opener = el('button', { type: 'button', 'aria-expanded': 'false', 'aria-controls': 'comment-panel' });
  readonly element = el('aside', {
    id: 'comment-panel',
    class: 'comment-panel',
    'aria-labelledby': 'comment-title',
    hidden: true,
  });
  readonly #api: CommentApi;
  readonly #reader: { readerId: string; mayModerate: boolean };
  readonly #heading = el('h2', { id: 'comment-title', tabindex: '-1' }, 'Comments');
  readonly #tools = el('div', { class: 'comment-tools' });
  readonly #list = el('div', { class: 'threads' });
  readonly #issue = el('p', { class: 'issue', role: 'alert' });
  readonly #status = el('p', { class: 'hint', role: 'status' });
  readonly #write = el('div', { class: 'comment-write' });
  /** The card whose comments are shown; null for all. */
  #cardId: string | null = null;
  #state: State = 'open';
  /** What had the focus when the panel was opened. */
  #from: HTMLElement = this.opener;
  #reads = 0;
  /** What the box to write in was made for. */
  #writesFor = '';

  constructor(api: CommentApi, reader: { readerId: string; mayModerate: boolean }) {
    this.#api = api;
    this.#reader = reader;
    const close = el('button', { type: 'button', class: 'plain' }, 'Close');
    close.addEventListener('click', () => this.#close());
    const head = el('div', { class: 'comment-panel-head' }, this.#heading, close);
    this.element.append(head, this.#tools, this.#issue, this.#list, this.#status, this.#write);
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !event.defaultPrevented) this.#close();
    });
    this.opener.addEventListener('click', () => {
      if (this.element.hidden) this.#open(null, this.opener);
      else this.#close();
    });
    NARROW.addEventListener('change', () => this.#cover());
  }

  /** Shows the numbers of open threads, on the button and on the cards. */
  count({ counts, parts, mayComment }: Threads): void {
    this.opener.textContent = counts.open === 0 ? 'Comments' : `Comments (${counts.open})`;
    const open = new Map(parts.filter(({ type }) => type === 'card').map(({ id, open: count }) => [id, count]));
    for (const card of document.querySelectorAll<HTMLElement>('.card:not(.divider)')) {
      const id = card.id.slice('card-'.length);
      card.querySelector('.comment-count')?.remove();
      const count = open.get(id) ?? 0;
      if (count > 0 || mayComment) card.append(this.#countOf(id, card, count));
    }
  }

  #countOf(cardId: string, card: HTMLElement, count: number): HTMLButtonElement {
    const title = card.getAttribute('aria-label') ?? 'this card';
    const label =
      count === 0 ? `Comment on ${title}` : `${count} open ${count === 1 ? 'thread' : 'threads'} on ${title}`;
    const button = el('button', { type: 'button', class: 'comment-count', 'aria-label': label });
    button.append(el('span', { class: 'bubble', 'aria-hidden': 'true' }), ...(count === 0 ? [] : [String(count)]));
    button.classList.toggle('none', count === 0);
    button.addEventListener('click', () => this.#open(cardId, button));
    return button;
  }

  #open(cardId: string | null, from: HTMLElement): void {
    this.#cardId = cardId;
    this.#state = 'open';
    this.#from = from;
    this.element.hidden = false;
    this.opener.setAttribute('aria-expanded', 'true');
    document.body.classList.add('has-comments');
    this.#cover();
    this.#heading.focus();
    this.#list.replaceChildren();
    this.#write.replaceChildren();
    this.#writesFor = '';
    this.#status.textContent = '';
    void this.#read();
  }

  #close(): void {
    this.element.hidden = true;
    this.opener.setAttribute('aria-expanded', 'false');
    document.body.classList.remove('has-comments');
    this.#cover();
    // The number on a card may have been drawn anew.
    const card = this.#cardId === null ? null : byId(`card-${this.#cardId}`);
    (card?.querySelector<HTMLElement>('.comment-count') ?? this.#from).focus();
  }

  /** What the panel covers cannot be reached. */
  #cover(): void {
    const isCovered = !this.element.hidden && NARROW.matches;
    for (const part of document.querySelectorAll<HTMLElement>('header.site, main')) part.inert = isCovered;
  }

  async #read(offset = 0): Promise<void> {
    this.#reads += 1;
    const own = this.#reads;
    const cardId = this.#cardId;
    this.#issue.textContent = '';
    this.#list.setAttribute('aria-busy', 'true');
    const read = await Promise.all([
      this.#api.list(cardId, this.#state, { offset }),
      cardId === null ? undefined : this.#api.list(null, 'open', { limit: 1 }),
    ]).catch(() => undefined);
    if (own !== this.#reads) return;
    this.#list.removeAttribute('aria-busy');
    if (!read) {
      this.#fail('The comments cannot be loaded. Try again later.');
      return;
    }
    const [threads, whole = threads] = read;
    this.count(whole);
    this.#showTools(threads);
    this.#showThreads(threads, offset);
    if (offset === 0) this.#showWriter(threads);
  }

  async #changed(message: string): Promise<void> {
    await this.#read();
    this.#status.textContent = message;
    // The button that was pressed is gone.
    if (document.activeElement === document.body) this.#heading.focus();
  }

  #fail(message: string): void {
    this.#issue.textContent = message;
  }

  #titleOf(cardId: string): string | undefined {
    return byId(`card-${cardId}`)?.getAttribute('aria-label') ?? undefined;
  }

  #showTools({ following }: Threads): void {
    const select = el('select', { 'aria-label': 'Threads to show' });
    for (const [value, text] of Object.entries(STATES))
      select.append(el('option', { value, selected: value === this.#state }, text));
    select.addEventListener('change', () => {
      this.#state = select.value as State;
      void this.#read();
    });
    const isFollowing = following === 'following';
    const follow = el(
      'button',
      { type: 'button', 'aria-pressed': String(isFollowing) },
      isFollowing ? 'Following' : 'Follow',
    );
    follow.addEventListener('click', async () => {
      await this.#api
        .follow(isFollowing ? 'unfollowed' : 'following')
        .catch(() => this.#fail('Following cannot be changed now. Try again later.'));
      await this.#read();
      this.#tools.querySelector<HTMLElement>('[aria-pressed]')?.focus();
    });
    const hadFocus = this.#tools.contains(document.activeElement);
    this.#tools.replaceChildren(select, follow);
    if (hadFocus) select.focus();
    if (this.#cardId === null) return;
    const all = el('button', { type: 'button', class: 'plain' }, 'All cards');
    all.addEventListener('click', () => this.#open(null, this.opener));
    this.#tools.append(all);
  }

  #showThreads({ items, total, mayComment }: Threads, offset: number): void {
    const title = this.#cardId === null ? undefined : (this.#titleOf(this.#cardId) ?? 'a card');
    this.#heading.textContent = title === undefined ? 'Comments' : `Comments on ${title}`;
    const showing: Showing = {
      api: this.#api,
      ...this.#reader,
      mayComment,
      titleOf: (cardId) => this.#titleOf(cardId),
      changed: (message) => this.#changed(message),
      failed: (message) => this.#fail(message),
    };
    const views = items.map((thread) => threadView(thread, showing));
    if (offset === 0) this.#list.replaceChildren(...views);
    else this.#list.append(...views);
    if (total === 0) this.#list.append(el('p', { class: 'hint' }, 'There are no such comments.'));
    if (offset + items.length >= total) return;
    const more = el('button', { type: 'button' }, 'Show more');
    more.addEventListener('click', () => {
      more.remove();
      void this.#read(offset + PAGE_SIZE);
    });
    this.#list.append(more);
  }

  #showWriter({ mayComment, comments, warning }: Threads): void {
    const writesFor = JSON.stringify([this.#cardId, mayComment, comments, warning]);
    // What a person is writing stays.
    if (writesFor === this.#writesFor) return;
    this.#writesFor = writesFor;
    if (!mayComment) {
      const text = comments === 'off' ? 'Comments are turned off.' : 'Only editors can comment on this dashboard.';
      this.#write.replaceChildren(el('p', { class: 'hint' }, text));
      return;
    }
    const cardId = this.#cardId;
    const title = cardId === null ? undefined : this.#titleOf(cardId);
    const editor = editorOf(this.#api, {
      label: title === undefined ? 'New comment' : `New comment on ${title}`,
      button: 'Comment',
      send: (content) => this.#api.write(content, { cardId }),
      done: (message) => this.#changed(message),
    });
    const hint = 'Not every reader may see the rows of this card. Do not quote them.';
    this.#write.replaceChildren(...(warning ? [el('p', { class: 'comment-warning' }, hint)] : []), editor);
  }
}
