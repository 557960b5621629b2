import { ageOf } from '../../../../platform/browser/age.ts';
import { el } from '../../../browser/dom.ts';
import { ApiError } from '../api.ts';
import type { Comment, CommentApi, Thread } from './api.ts';
import type { Decide } from './discussed.ts';
import { editorOf } from './editor.ts';
import { editedText, type Names, showText } from './text.ts';

export interface Showing {
  api: CommentApi;
  /** The id of the signed-in person. */
  readerId: string;
  /** Whether the person may delete the comments of others. */
  mayModerate: boolean;
  mayComment: boolean;
  decide?: Decide | undefined;
  /** The title of a part of the page, which may be empty; undefined for a part that is not on the page. */
  titleOf(partId: string): string | undefined;
  /** What a thread says of a part that is not on the page. */
  elsewhere: string;
  /** Scrolls to what the thread is about; undefined where that is not on the page, or cannot be scrolled to. */
  goTo?(thread: Thread): (() => void) | undefined;
  /** Reads the threads again, and reports what has happened. */
  changed(message: string): Promise<void>;
  failed(message: string): void;
}

/** A thread with its replies, and what the person may do with it. */
export function threadView(thread: Thread, showing: Showing): HTMLElement {
  const { id, replies, resolvedAt } = thread;
  const { api, mayComment, changed } = showing;
  const place = el('div', { class: 'comment-reply' });
  const article = el(
    'article',
    { class: resolvedAt === null ? 'thread' : 'thread resolved', id: `comment-${id}` },
    ...aboutOf(thread, showing),
    ...decisionOn(thread, showing),
    commentView(thread, showing),
    ...replies.map((reply) => commentView(reply, showing)),
    place,
  );
  if (!mayComment) return article;
  const offer = () => {
    const reply = act('Reply', () => {
      const editor = editorOf(api, {
        label: 'Reply',
        button: 'Reply',
        send: (content) => api.write(content, { parentId: id }),
        done: changed,
        cancel: offer,
      });
      place.replaceChildren(editor);
      editor.querySelector('textarea')!.focus();
    });
    const isResolved = resolvedAt === null;
    const resolve = act(isResolved ? 'Resolve' : 'Reopen', () =>
      attempt(showing, () => api.change(id, { isResolved })),
    );
    place.replaceChildren(...(thread.content === null ? [] : [reply]), resolve);
  };
  offer();
  return article;
}

/** What the thread is about: a part, and perhaps words of it. */
function aboutOf(thread: Thread, { api, titleOf, elsewhere, goTo }: Showing): HTMLElement[] {
  const { context, anchor } = thread;
  const partId = api.partIdOf(context);
  if (partId === undefined) return [];
  const isGone = anchor.state === 'orphaned';
  const title = titleOf(partId);
  const absent = isGone ? `On a ${api.part} that no longer exists` : elsewhere;
  const place = title === undefined ? absent : title === '' ? `On a ${api.part}` : `On “${title}”`;
  const go = goTo?.(thread);
  const about = el('p', { class: 'comment-about' }, go ? act(place, go) : place);
  const { quote, replacement } = context;
  if (!quote) return [about];
  const words = el('blockquote', { class: 'comment-quote' }, isGone ? quote.exact : (anchor.text ?? quote.exact));
  const gone = isGone && title !== undefined ? [el('p', { class: 'hint' }, 'This text is no longer there.')] : [];
  const suggested = replacement === undefined ? [] : [suggestion(replacement)];
  return [about, words, ...gone, ...suggested];
}

const suggestion = (replacement: string): HTMLElement =>
  el(
    'p',
    { class: 'comment-suggestion' },
    ...(replacement === '' ? ['Suggests to delete this.'] : ['Suggests: ', el('ins', {}, replacement)]),
  );

/** The buttons of an open suggestion. */
function decisionOn({ id, context, content, resolvedAt }: Thread, showing: Showing): HTMLElement[] {
  const { decide } = showing;
  const { sectionId, replacement } = context;
  if (!decide || sectionId === undefined || replacement === undefined || resolvedAt !== null || content === null)
    return [];
  const accept = act('Accept', () =>
    attempt(showing, () => decide(sectionId, id, 'accept'), 'The suggestion is accepted: the draft has the new text.'),
  );
  const reject = act('Reject', () =>
    attempt(showing, () => decide(sectionId, id, 'reject'), 'The suggestion is rejected.'),
  );
  return [el('div', { class: 'comment-buttons' }, accept, reject)];
}

function commentView(comment: Comment, showing: Showing): HTMLElement {
  const { author, createdAt, editedAt, content, id } = comment;
  if (content === null) return el('div', { class: 'comment' }, el('p', { class: 'hint' }, 'This comment was deleted.'));
  const text = el('p', { class: 'comment-text' }, ...showText(comment));
  const age = el('time', { datetime: createdAt, title: new Date(createdAt).toLocaleString() }, ageOf(createdAt));
  const head = el('p', { class: 'comment-head' }, el('strong', {}, author.name), ' ', age, editedAt ? ' · edited' : '');
  const isOwn = author.id === showing.readerId;
  const view = el('div', { class: 'comment' });
  const acts = el('div', { class: 'comment-acts' });
  if (isOwn && showing.mayComment) acts.append(act('Edit', () => edit(comment, view, text, acts, showing)));
  if (isOwn || showing.mayModerate) acts.append(deleteButton(id, showing));
  view.append(el('div', { class: 'comment-top' }, head, acts), text);
  return view;
}

function edit(
  comment: Comment,
  view: HTMLElement,
  text: HTMLElement,
  acts: HTMLElement,
  { api, changed }: Showing,
): void {
  const names: Names = new Map();
  const editor = editorOf(api, {
    label: 'Edit the comment',
    button: 'Save',
    text: editedText(comment, names),
    names,
    send: (content) => api.change(comment.id, { content }),
    done: changed,
    cancel: () => {
      editor.replaceWith(text);
      acts.hidden = false;
    },
  });
  text.replaceWith(editor);
  acts.hidden = true;
  view.querySelector('textarea')!.focus();
}

/** The second click deletes, because a deleted comment is gone. */
function deleteButton(id: string, showing: Showing): HTMLButtonElement {
  const button = act('Delete', () => {
    if (button.dataset.asked === undefined) {
      button.dataset.asked = '';
      button.textContent = 'Really delete?';
    } else void attempt(showing, () => showing.api.remove(id));
  });
  return button;
}

function act(text: string, run: () => void): HTMLButtonElement {
  const button = el('button', { type: 'button', class: 'plain' }, text);
  button.addEventListener('click', run);
  return button;
}

async function attempt(
  { changed, failed }: Showing,
  run: () => Promise<unknown>,
  message = 'The change is stored.',
): Promise<void> {
  try {
    await run();
    await changed(message);
  } catch (error) {
    failed(error instanceof ApiError ? error.message : 'The server cannot be reached.');
  }
}
