import { el } from '../../../browser/dom.ts';
import type { Comment } from './api.ts';

/** A mention, or the address of a page. */
const PIECE = /@\[([^\]\n]{1,200})\]\(((?:user|group):[0-9a-f-]{36})\)|https:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]]/g;

/** What people type and read is `@name`; what is stored is the token of the person. */
export type Names = Map<string, string>;

const idOf = (token: string): string => token.replace(/^user:/, '');

/** The text with names of now, and links that tell the other site nothing. */
export function showText({ content, mentions }: Pick<Comment, 'content' | 'mentions'>): (Node | string)[] {
  const names = new Map(mentions.map(({ id, name }) => [id, name]));
  const text = content ?? '';
  const shown: (Node | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(PIECE)) {
    shown.push(text.slice(end, match.index));
    end = match.index + match[0].length;
    const [whole, written, token] = match;
    if (token) shown.push(el('span', { class: 'mention' }, `@${names.get(idOf(token)) ?? written}`));
    else shown.push(el('a', { href: whole, target: '_blank', rel: 'noopener noreferrer nofollow' }, whole));
  }
  shown.push(text.slice(end));
  return shown;
}

/** The stored text as its author edits it; `names` gets whom it mentions. */
export function editedText({ content, mentions }: Pick<Comment, 'content' | 'mentions'>, names: Names): string {
  const current = new Map(mentions.map(({ id, name }) => [id, name]));
  return (content ?? '').replaceAll(PIECE, (whole: string, written: string | undefined, token: string | undefined) => {
    if (!token) return whole;
    const name = current.get(idOf(token)) ?? written!;
    return `@${addName(names, { id: token.replace(/^user:/, ''), name, email: idOf(token).slice(-4) })}`;
  });
}

/**
 * The name to type for a person or group that was chosen: another one if a person of the same name is mentioned
 * already.
 */
export function addName(names: Names, { id, name, email }: { id: string; name: string; email: string | null }): string {
  const token = id.startsWith('group:') ? id : `user:${id}`;
  const isTaken = (each: string) => (names.get(each) ?? token) !== token;
  const chosen = isTaken(name) ? `${name} (${email ?? 'group'})` : name;
  names.set(chosen, token);
  return chosen;
}

const LETTER = /^[\p{L}\p{N}]/u;

/** The text to store: the names that were chosen become tokens, the longest first. */
export function storedText(text: string, names: Names): string {
  const chosen = [...names.keys()].sort((a, b) => b.length - a.length);
  let stored = '';
  for (let at = 0; at < text.length; ) {
    const isWhole = (name: string) => text.startsWith(name, at + 1) && !LETTER.test(text.slice(at + 1 + name.length));
    const name = text[at] === '@' ? chosen.find(isWhole) : undefined;
    stored += name === undefined ? text[at] : `@[${name.replaceAll(/[\][\n]/g, ' ')}](${names.get(name)})`;
    at += name === undefined ? 1 : name.length + 1;
  }
  return stored;
}
