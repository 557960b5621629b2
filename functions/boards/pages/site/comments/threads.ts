import { ApiError } from '../api.ts';
import { el } from '../dom.ts';
import { ageOf } from '../text.ts';
import type { Comment, CommentApi, Thread } from './api.ts';
import { editorOf } from './editor.ts';
import { editedText, type Names, showText } from './text.ts';

export interface Showing {
  api: CommentApi;
  /** The id of the signed-in person. */
  readerId: string;
  /** Whether the person may delete the comments of others. */
  mayModerate: boolean;
  mayComment: boolean;
  /** The title of a card; undefined for one that is not on the page. */
  titleOf(cardId: string): string | undefined;
  /** Reads the threads again, and reports what has happened. */
  changed(message: string): Promise<void>;
  failed(message: string): void;
}

/** A thread with its replies, and what the person may do with it. */
export function threadView(thread: Thread, showing: Showing): HTMLElement {
  const { id, replies, resolvedAt, anchor, context } = thread;
  const { api, mayComment, changed } = showing;
  const place = el('div', { class: 'comment-reply' });
  const about = aboutOf(context, anchor.state, showing);
  const article = el(
    'article',
    { class: resolvedAt === null ? 'thread' : 'thread resolved', id: `comment-${id}` },
    ...(about ? [about] : []),
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

function aboutOf(
  { kind, cardId }: Comment['context'],
  state: Thread['anchor']['state'],
  { titleOf }: Showing,
): HTMLElement | undefined {
  if (kind === 'object' || cardId === undefined) return undefined;
  if (state === 'orphaned') return el('p', { class: 'comment-about' }, 'On a card that no longer exists');
  const title = titleOf(cardId);
  return el('p', { class: 'comment-about' }, title === undefined ? 'On a card on another page' : `On “${title}”`);
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

async function attempt({ changed, failed }: Showing, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
    await changed('The change is stored.');
  } catch (error) {
    failed(error instanceof ApiError ? error.message : 'The server cannot be reached.');
  }
}
