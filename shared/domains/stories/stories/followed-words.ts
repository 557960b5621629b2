import type { RichText } from '../../../data/rich-text/index.ts';
import { newAnchor, reanchor, type TextAnchor } from '../../../data/rich-text/index.ts';
import type { Table } from '../../../platform/storage/table.ts';
import { type CommentStore, commentStore, type MovedWords, type StoredThread } from '../comments/index.ts';
import type { StoryPlace } from './keys.ts';
import type { Section, SectionRecord, StoryState } from './records.ts';
import type { StoryStore } from './store.ts';

export type FollowDeps = { table: Table; store: Pick<StoryStore, 'read' | 'withContents' | 'texts'> };

/** A thread about words of a story whose place is followed. */
export type WordsThread = StoredThread & Required<Pick<StoredThread, 'words'>>;

const MAX_TRIES = 5;

/**
 * Finds the words of all threads again after a section has changed, and stores where they are now. A change that no
 * request has followed to its end, because it crashed, is followed by the next one. `changed` is the story after the
 * change, if it is known.
 */
export async function followWords(
  { table, store }: FollowDeps,
  place: StoryPlace,
  { sectionId, changed }: { sectionId: string; changed?: StoryState | undefined },
): Promise<void> {
  const comments = commentStore(table);
  const subject = subjectOf(place);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    // What others follow meanwhile, the conditions of `moveWords` detect.
    const [threads, seen] = await Promise.all([
      followedThreads(comments, place),
      comments.followedSeq(subject, sectionId),
    ]);
    if (threads.length === 0) return;
    const state = (tries === 0 && changed) || (await store.read(place));
    const record = state?.sections.find(({ id }) => id === sectionId);
    if (!state || !record) return;
    if (seen !== undefined && seen >= record.textSeq && threads.every((thread) => isFollowed(thread, record, seen)))
      return;
    const [section] = (await store.withContents(place, [record])) as [Section];
    const moved = await movedWords(store, place, state, { section, threads, seen });
    if (await comments.moveWords(subject, { sectionId, seen, seq: record.textSeq }, moved)) return;
  }
}

const subjectOf = ({ workspaceId, storyId: id }: StoryPlace) => ({ workspaceId, type: 'story', id });

const isFollowed = ({ words: { place, seq } }: WordsThread, { id, textSeq }: SectionRecord, seen: number): boolean =>
  place.sectionId !== id || Math.max(seq, seen) >= textSeq;

/** The threads whose words are followed. The words of an accepted suggestion are gone for good. */
export async function followedThreads(
  comments: Pick<CommentStore, 'threads'>,
  place: StoryPlace,
): Promise<WordsThread[]> {
  const threads = await comments.threads(subjectOf(place));
  return threads.filter((thread): thread is WordsThread => !!thread.words && thread.resolution !== 'accepted');
}

interface Followed {
  section: Section;
  threads: readonly WordsThread[];
  /** The text of the section up to which all its threads were followed. */
  seen: number | undefined;
}

/** The threads whose words are elsewhere now, or have changed. */
export async function movedWords(
  { texts }: Pick<FollowDeps['store'], 'texts'>,
  place: StoryPlace,
  { record, sections }: StoryState,
  { section, threads, seen = 0 }: Followed,
): Promise<MovedWords[]> {
  const { id: sectionId, textSeq } = section;
  const present = new Set(record.sectionIds);
  const previous = sections.find(({ id }) => id === sectionId)?.kept.at(-2);
  const groups = new Map<number | undefined, WordsThread[]>();
  for (const thread of threads) {
    const isOrphan = isLost(thread, present);
    if (!isOrphan && thread.words.place.sectionId !== sectionId) continue;
    const seq = isOrphan ? previous : Math.max(thread.words.seq, seen);
    if (seq !== undefined && seq >= textSeq) continue;
    groups.set(seq, [...(groups.get(seq) ?? []), thread]);
  }
  const moved: MovedWords[] = [];
  for (const [seq, group] of groups) {
    const before = seq === undefined ? undefined : await texts.find(place, { id: sectionId, textSeq: seq });
    const anchors = group.map((thread) => anchorOf(thread, !before || isLost(thread, present)));
    const found = reanchor(anchors, contentOf(sectionId, before), contentOf(sectionId, section.content));
    for (const [index, anchor] of found.entries()) {
      const thread = group[index]!;
      if (!isSameAnchor(thread, anchor)) moved.push(movedTo(thread, anchor, textSeq));
    }
  }
  return moved;
}

const contentOf = (id: string, content: RichText | undefined) => (content ? [{ id, content }] : []);

const isLost = ({ anchor, words }: WordsThread, present: ReadonlySet<string>): boolean =>
  anchor?.state === 'orphaned' || !present.has(words.place.sectionId);

const anchorOf = ({ words: { written, place }, anchor }: WordsThread, isOrphan: boolean): TextAnchor => ({
  ...newAnchor(written),
  ...{ place, state: isOrphan ? 'orphaned' : 'anchored', score: anchor?.score ?? 1 },
});

const isSameAnchor = ({ anchor, words }: WordsThread, next: TextAnchor): boolean =>
  JSON.stringify(words.place) === JSON.stringify(next.place) && anchor?.state === stateOf(next);

/** Words that were changed are not where they were written either. */
const stateOf = ({ state, place, written }: TextAnchor): TextAnchor['state'] =>
  state === 'anchored' && place.quote.exact !== written.quote.exact ? 'moved' : state;

export function movedTo(thread: WordsThread, next: TextAnchor, seq: number): MovedWords {
  const { place, written, score } = next;
  const state = stateOf(next);
  const text = state === 'orphaned' ? null : place.quote.exact;
  return { thread, anchor: { state, score, text }, words: { written, place, seq } };
}

/** The anchor of a thread in a section as it is now, also if its last change has not been followed yet. */
export async function anchorNow(
  store: FollowDeps['store'],
  place: StoryPlace,
  state: StoryState,
  followed: Followed & { thread: WordsThread },
): Promise<TextAnchor> {
  const { thread, section } = followed;
  const [moved] = await movedWords(store, place, state, { ...followed, threads: [thread], section });
  const { words, anchor } = moved ?? thread;
  return anchorOf({ ...thread, words, ...(anchor && { anchor }) }, anchor?.state === 'orphaned');
}
