import { byId, el } from '../../../browser/dom.ts';
import { openedSession } from '../api.ts';
import { type CommentApi, commentsOf, PAGE_SIZE, type State, type Thread, type Threads } from './api.ts';
import type { Discussed, DiscussedPart } from './discussed.ts';
import { editorOf } from './editor.ts';
import type { QuotedText } from './quoted-text.ts';
import { type Showing, threadView } from './threads.ts';

/** Where the panel covers the page. */
const NARROW = matchMedia('(width < 900px)');
const STATES = { open: 'Open', resolved: 'Resolved', all: 'All' } as const;

/**
 * A panel with the comments of what the page shows, a button that opens it, and one on each part with its number of
 * open threads. Undefined where the person may not read comments.
 */
export async function showComments(discussed: Discussed): Promise<Panel | undefined> {
  const place = byId('comments');
  if (!place) return undefined;
  const api = commentsOf(discussed);
  const found = await api.list(null, 'open', { limit: 1 }).catch(() => undefined);
  if (!found) return undefined;
  const { user } = await openedSession();
  const panel = new Panel(api, discussed, user.id);
  place.replaceChildren(...(discussed.isFollowedInLead ? [panel.follow] : []), panel.opener);
  place.hidden = false;
  document.body.append(panel.element);
  panel.count(found);
  return panel;
}

export class Panel {
  readonly opener = el('button', { type: 'button', 'aria-expanded': 'false', 'aria-controls': 'comment-panel' });
  readonly follow = el('button', { type: 'button' });
  readonly element = el('aside', {
    id: 'comment-panel',
    class: 'comment-panel',
    'aria-labelledby': 'comment-title',
    hidden: true,
  });
  readonly #api: CommentApi;
  readonly #discussed: Discussed;
  readonly #readerId: string;
  readonly #heading = el('h2', { id: 'comment-title', tabindex: '-1' }, 'Comments');
  readonly #tools = el('div', { class: 'comment-tools' });
  readonly #list = el('div', { class: 'threads' });
  readonly #issue = el('p', { class: 'issue', role: 'alert' });
  readonly #status = el('p', { class: 'hint', role: 'status' });
  readonly #write = el('div', { class: 'comment-write' });
  /** The part whose comments are shown; null for all. */
  #partId: string | null = null;
  /** The words to comment on. */
  #quoted: QuotedText | undefined;
  #state: State = 'open';
  /** Whether the person may write comments. */
  mayComment = false;
  /** Scrolls to what a thread is about; see `Showing`. */
  goTo: Showing['goTo'];
  /** Called with the threads that the panel shows; none once it is closed. */
  onShow: (threads: readonly Thread[]) => void = () => {};
  #threads: readonly Thread[] = [];
  /** What had the focus when the panel was opened. */
  #from: HTMLElement = this.opener;
  #isFollowing = false;
  #reads = 0;
  /** What the box to write in was made for. */
  #writesFor = '';

  constructor(api: CommentApi, discussed: Discussed, readerId: string) {
    this.#api = api;
    this.#discussed = discussed;
    this.#readerId = readerId;
    const close = el('button', { type: 'button', class: 'plain' }, 'Close');
    close.addEventListener('click', () => this.#close());
    const head = el('div', { class: 'comment-panel-head' }, this.#heading, close);
    this.element.append(head, this.#tools, this.#issue, this.#list, this.#status, this.#write);
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !event.defaultPrevented) this.#close();
    });
    this.follow.addEventListener('click', () => void this.#changeFollowing());
    this.opener.addEventListener('click', () => {
      if (this.element.hidden) this.#open(null, this.opener);
      else this.#close();
    });
    NARROW.addEventListener('change', () => this.#cover());
  }

  /** Shows the numbers of open threads, on the button and on the parts. */
  count({ counts, parts, mayComment, following }: Threads): void {
    this.opener.textContent = counts.open === 0 ? 'Comments' : `Comments (${counts.open})`;
    const { part: type } = this.#discussed;
    const open = new Map(parts.filter((part) => part.type === type).map(({ id, open: count }) => [id, count]));
    for (const part of this.#discussed.parts()) {
      countIn(part.element)?.remove();
      const count = open.get(part.id) ?? 0;
      if (count > 0 || mayComment) part.element.append(this.#countOf(part, count));
    }
    this.mayComment = mayComment;
    this.#isFollowing = following === 'following';
    this.follow.textContent = this.#isFollowing ? 'Following' : 'Follow';
    this.follow.setAttribute('aria-pressed', String(this.#isFollowing));
  }

  #countOf({ id, title = `this ${this.#discussed.part}` }: DiscussedPart, count: number): HTMLButtonElement {
    const label =
      count === 0 ? `Comment on ${title}` : `${count} open ${count === 1 ? 'thread' : 'threads'} on ${title}`;
    const button = el('button', { type: 'button', class: 'comment-count', 'aria-label': label });
    button.append(el('span', { class: 'bubble', 'aria-hidden': 'true' }), ...(count === 0 ? [] : [String(count)]));
    button.classList.toggle('none', count === 0);
    button.addEventListener('click', () => this.#open(id, button));
    return button;
  }

  /** Opens the box to comment on words of a part. */
  quote(quoted: QuotedText, from: HTMLElement): void {
    this.#open(quoted.sectionId, from, quoted);
  }

  #open(partId: string | null, from: HTMLElement, quoted?: QuotedText): void {
    this.#partId = partId;
    this.#quoted = quoted;
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
    this.#show([]);
    // The number on a part may have been drawn anew.
    const part = this.#partId === null ? undefined : this.#partOf(this.#partId);
    ((part && countIn(part.element)) ?? this.#from).focus();
  }

  /** What the panel covers cannot be reached. */
  #cover(): void {
    const isCovered = !this.element.hidden && NARROW.matches;
    for (const part of document.querySelectorAll<HTMLElement>('header.site, main')) part.inert = isCovered;
  }

  async #read(offset = 0): Promise<void> {
    this.#reads += 1;
    const own = this.#reads;
    const partId = this.#partId;
    this.#issue.textContent = '';
    this.#list.setAttribute('aria-busy', 'true');
    const read = await Promise.all([
      this.#api.list(partId, this.#state, { offset }),
      partId === null ? undefined : this.#api.list(null, 'open', { limit: 1 }),
    ]).catch(() => undefined);
    if (own !== this.#reads) return;
    this.#list.removeAttribute('aria-busy');
    if (!read) {
      this.#fail('The comments cannot be loaded. Try again later.');
      return;
    }
    const [threads, whole = threads] = read;
    this.count(whole);
    this.#showTools();
    this.#showThreads(threads, offset);
    if (offset === 0) this.#showWriter(threads);
  }

  async #changed(message: string): Promise<void> {
    await this.#read();
    this.#status.textContent = message;
    // The button that was pressed is gone.
    if (document.activeElement === document.body) this.#heading.focus();
  }

  /** Marks the quotes of the shown threads again, because the text of the page has changed. */
  markAgain(): void {
    this.onShow(this.#threads);
  }

  #show(threads: readonly Thread[]): void {
    this.#threads = threads;
    this.onShow(threads);
  }

  #fail(message: string): void {
    this.#issue.textContent = message;
  }

  #partOf(partId: string): DiscussedPart | undefined {
    return this.#discussed.parts().find(({ id }) => id === partId);
  }

  /** The title of a part, which may be empty; undefined if the part is not on the page. */
  #titleOf(partId: string): string | undefined {
    const part = this.#partOf(partId);
    return part && (part.title ?? '');
  }

  async #changeFollowing(): Promise<void> {
    await this.#api
      .follow(this.#isFollowing ? 'unfollowed' : 'following')
      .catch(() => this.#fail('Following cannot be changed now. Try again later.'));
    const hadFocus = document.activeElement === this.follow;
    await this.#read();
    if (hadFocus) this.follow.focus();
  }

  #showTools(): void {
    const select = el('select', { 'aria-label': 'Threads to show' });
    for (const [value, text] of Object.entries(STATES))
      select.append(el('option', { value, selected: value === this.#state }, text));
    select.addEventListener('change', () => {
      this.#state = select.value as State;
      void this.#read();
    });
    const focused = document.activeElement;
    const hadFocus = this.#tools.contains(focused);
    this.#tools.replaceChildren(select, ...(this.#discussed.isFollowedInLead ? [] : [this.follow]));
    if (hadFocus) (focused === this.follow ? this.follow : select).focus();
    if (this.#partId === null) return;
    const all = el('button', { type: 'button', class: 'plain' }, `All ${this.#discussed.part}s`);
    all.addEventListener('click', () => this.#open(null, this.opener));
    this.#tools.append(all);
  }

  #showThreads({ items, total, mayComment }: Threads, offset: number): void {
    const { part, mayModerate, decide, elsewhere } = this.#discussed;
    const title = this.#partId === null ? undefined : this.#titleOf(this.#partId) || `a ${part}`;
    this.#heading.textContent = title === undefined ? 'Comments' : `Comments on ${title}`;
    const showing: Showing = {
      api: this.#api,
      ...{ readerId: this.#readerId, mayModerate, mayComment, decide, elsewhere },
      titleOf: (partId) => this.#titleOf(partId),
      ...(this.goTo && { goTo: this.goTo }),
      changed: (message) => this.#changed(message),
      failed: (message) => this.#fail(message),
    };
    const views = items.map((thread) => threadView(thread, showing));
    this.#show(offset === 0 ? items : [...this.#threads, ...items]);
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

  #showWriter(threads: Threads): void {
    const { mayComment, comments, warning } = threads;
    const writesFor = JSON.stringify([this.#partId, this.#quoted, mayComment, comments, warning]);
    // What a person is writing stays.
    if (writesFor === this.#writesFor) return;
    this.#writesFor = writesFor;
    if (!mayComment) {
      const text =
        comments === 'off' ? 'Comments are turned off.' : `Only editors can comment on this ${this.#discussed.type}.`;
      this.#write.replaceChildren(el('p', { class: 'hint' }, text));
      return;
    }
    const [partId, quoted] = [this.#partId, this.#quoted];
    const title = partId === null ? undefined : this.#titleOf(partId) || `this ${this.#discussed.part}`;
    const editor = editorOf(this.#api, {
      label: quoted ? 'New comment on this text' : title === undefined ? 'New comment' : `New comment on ${title}`,
      button: 'Comment',
      send: (content) => this.#api.write(content, { partId, quoted }),
      done: (message) => {
        this.#quoted = undefined;
        return this.#changed(message);
      },
      ...(quoted && {
        cancel: () => {
          this.#quoted = undefined;
          this.#showWriter(threads);
        },
      }),
    });
    const hint = `Not every reader may see the rows of this ${this.#discussed.part}. Do not quote them.`;
    this.#write.replaceChildren(
      ...(warning ? [el('p', { class: 'comment-warning' }, hint)] : []),
      ...(quoted ? [el('blockquote', { class: 'comment-quote' }, quoted.quote.exact)] : []),
      editor,
    );
    if (quoted) editor.querySelector('textarea')!.focus();
  }
}

const countIn = (part: HTMLElement): HTMLElement | null => part.querySelector<HTMLElement>(':scope > .comment-count');
