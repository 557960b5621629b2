import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError, api, type Types } from '../../data/client.ts';
import { type Problem, problemOf } from '../../data/problem.ts';
import { type Draft, forgetDraft, keepDraft } from './drafts.ts';
import { rebased } from './text/rebase.ts';
import type { Content } from './text/schema.ts';

/** After the last key. */
const SAVE_MS = 1_000;

export interface SectionEdit {
  /** What the editor shows, and its number: another one is shown anew. */
  content: unknown;
  version: number;
  /** The number of edits that the text is based on. */
  editSeq: number;
  isEditing: boolean;
  isSaving: boolean;
  isSaved: boolean;
  problem: Problem | undefined;
  /** The text of others with which that of the person cannot be merged. */
  theirs: Types.StorySection | undefined;
  lockId: string | undefined;
  begin(): Promise<void>;
  change(content: Content): void;
  /** Saves what is left, and ends the lock. */
  finish(): Promise<void>;
  keepMine(): Promise<void>;
  takeTheirs(): void;
  /** The lock is over, such as after a long pause. */
  lost(): void;
  /** Continues with a text that was kept in the browser. */
  restore(draft: Draft): void;
}

/**
 * Writes a section: takes its lock, saves after each pause in typing, and keeps what could not be saved in the browser.
 * An edit that is based on an older text is merged by the API, or shown beside that of others; nothing is overwritten.
 */
export function useSection(section: Types.StorySection): SectionEdit {
  const { id, storyId } = section;
  const shown = useSignal({ content: section.content as unknown, version: section.editSeq, base: section.editSeq });
  const lockId = useSignal<string | undefined>(undefined);
  const isSaving = useSignal(false);
  const isDirty = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const theirs = useSignal<Types.StorySection | undefined>(undefined);
  const local = useRef<Content>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const saving = useRef<Promise<void>>(undefined);

  useEffect(() => {
    // What others have written is shown unless the person is writing.
    if (lockId.peek() === undefined && !isDirty.peek() && section.editSeq > shown.peek().base)
      shown.value = { content: section.content, version: section.editSeq, base: section.editSeq };
  }, [section.editSeq]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const fail = (error: unknown) => {
    problem.value = problemOf(error);
  };

  const adopt = (saved: Types.EditedStorySection, sent: Content) => {
    const isOlder = local.current !== sent;
    if (!isOlder) {
      isDirty.value = false;
      forgetDraft(id);
    }
    if (saved.merged) {
      const merged = (saved.content as unknown as Content).content;
      const blocks = isOlder ? rebased(local.current!.content, sent.content, merged) : merged;
      local.current = { type: 'doc', content: blocks };
      shown.value = { content: local.current, version: shown.peek().version + 1, base: saved.editSeq };
    } else shown.value = { ...shown.peek(), base: saved.editSeq };
    if (isOlder) plan();
  };

  const send = async (isForced: boolean): Promise<void> => {
    const sent = local.current;
    if (!sent || !isDirty.peek()) return;
    isSaving.value = true;
    try {
      const query = isForced ? undefined : { baseEditSeq: shown.peek().base };
      adopt(await api.stories.updateSection(storyId, id, { content: sent as never }, query), sent);
      problem.value = undefined;
      theirs.value = undefined;
    } catch (error) {
      fail(error);
      if (error instanceof ApiError && error.code === 'STALE_EDIT')
        theirs.value = await api.stories.getSection(storyId, id);
      if (error instanceof ApiError && error.code === 'SECTION_LOCKED') lockId.value = undefined;
    } finally {
      isSaving.value = false;
    }
  };
  /** One at a time, the last text last. */
  const save = (isForced = false): Promise<void> => {
    clearTimeout(timer.current);
    saving.current = (saving.current ?? Promise.resolve()).then(() => send(isForced));
    return saving.current;
  };
  const plan = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void save(), SAVE_MS);
  };

  const begin = async () => {
    problem.value = undefined;
    try {
      const lock = await api.stories.lockSection(storyId, id);
      // Another person may have written since the section was read.
      if (lock.editSeq !== shown.peek().base && !isDirty.peek()) {
        const { content, editSeq } = await api.stories.getSection(storyId, id);
        shown.value = { content, version: editSeq, base: editSeq };
      }
      lockId.value = lock.lockId ?? undefined;
    } catch (error) {
      fail(error);
    }
  };

  return {
    content: shown.value.content,
    version: shown.value.version,
    editSeq: shown.value.base,
    isEditing: lockId.value !== undefined,
    isSaving: isSaving.value,
    isSaved: !isDirty.value,
    problem: problem.value,
    theirs: theirs.value,
    lockId: lockId.value,
    begin,
    change(content) {
      local.current = content;
      isDirty.value = true;
      keepDraft(id, { content, base: shown.peek().base });
      plan();
    },
    async finish() {
      await save();
      const held = lockId.peek();
      if (isDirty.peek() || held === undefined) return;
      lockId.value = undefined;
      await api.stories.unlockSection(storyId, id, { lockId: held }).catch(fail);
    },
    keepMine: () => save(true),
    takeTheirs() {
      const record = theirs.peek();
      if (!record) return;
      forgetDraft(id);
      local.current = undefined;
      isDirty.value = false;
      problem.value = undefined;
      theirs.value = undefined;
      shown.value = { content: record.content, version: shown.peek().version + 1, base: record.editSeq };
    },
    lost() {
      lockId.value = undefined;
    },
    restore({ content, base }) {
      local.current = content;
      isDirty.value = true;
      shown.value = { content, version: shown.peek().version + 1, base };
      plan();
    },
  };
}
