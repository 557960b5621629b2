import { type Signal, signal } from '@preact/signals';
import { knownMe } from '../../../data/me.ts';
import { session } from '../../../data/session.ts';
import type { DraftDag } from './draft.ts';
import { type Content, merged } from './merge.ts';

/** What the draft is a change of: a saved version, or nothing yet. */
interface Base {
  content: Content;
  revision: number;
}

interface Kept {
  content: Content;
  base?: Base;
}

const KEEP_AFTER_MS = 300;
/** Changes within this time are undone together. */
const TOGETHER_MS = 1_000;
const MAX_UNDOS = 50;

/** Of one person in one workspace: others may sign in with the same browser. */
const storageKey = (key: string): string =>
  `draft of pipeline ${session.value?.workspaceId} ${knownMe()?.user.id} ${key}`;

export const hasDraft = (key: string): boolean => localStorage.getItem(storageKey(key)) !== null;

/** A draft of a pipeline. It is kept in the browser until it is saved or given up. */
export class Editing {
  readonly content: Signal<Content>;
  readonly base: Signal<Base | undefined>;
  /** Counts the changes that did not come from fields, after which these show other values. */
  readonly jumps: Signal<number> = signal(0);
  readonly canUndo: Signal<boolean> = signal(false);
  /** Whether the draft was there when the editor was opened. */
  isContinued: boolean;
  #key: string;
  #past: Content[] = [];
  #changedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(key: string, start: Content, base?: Base) {
    this.#key = storageKey(key);
    const kept = read(this.#key);
    this.isContinued = kept !== undefined;
    this.content = signal(kept?.content ?? start);
    this.base = signal(kept ? (kept.base ?? base) : base);
  }

  get isChanged(): boolean {
    const base = this.base.value;
    return base === undefined || JSON.stringify(base.content) !== JSON.stringify(this.content.value);
  }

  /** A change by fields; several in a row are undone together. */
  change(content: Content): void {
    const now = performance.now();
    if (now - this.#changedAt > TOGETHER_MS) this.#remember();
    this.#changedAt = now;
    this.#set(content);
  }

  /** A change of the graph, which is undone by itself. */
  restructure(dag: DraftDag): void {
    this.#remember();
    this.#changedAt = 0;
    this.#set({ ...this.content.peek(), dag });
  }

  /** A change that did not come from fields, which they show. */
  jump(content: Content): void {
    this.#remember();
    this.#changedAt = 0;
    this.#set(content);
    this.jumps.value += 1;
  }

  undo(): void {
    const former = this.#past.pop();
    if (!former) return;
    this.#changedAt = 0;
    this.#set(former);
    this.canUndo.value = this.#past.length > 0;
    this.jumps.value += 1;
  }

  /** The draft was saved. What was typed in the meantime is kept as a draft of the new version. */
  saved(content: Content, base: Base): void {
    const typed = this.content.peek();
    const isSame = JSON.stringify(typed) === JSON.stringify(content);
    this.base.value = base;
    this.isContinued = false;
    this.#set(isSame ? base.content : typed);
    if (isSame && JSON.stringify(base.content) !== JSON.stringify(typed)) this.jumps.value += 1;
    this.keep();
  }

  /**
   * Takes over what another person has saved, as far as the draft does not change the same; for the rest, `side`
   * decides. The former draft can be restored by undoing.
   */
  rebase(theirs: Base, side: 'mine' | 'theirs'): void {
    const base = this.base.peek();
    const all = base ? merged(base.content, this.content.peek(), theirs.content) : undefined;
    this.base.value = theirs;
    this.jump(all ? all[side] : side === 'mine' ? this.content.peek() : theirs.content);
  }

  giveUp(): void {
    const base = this.base.peek();
    if (base) this.jump(base.content);
    this.keep();
  }

  /** The draft became a pipeline, of which what was typed in the meantime is a draft. */
  created(id: string, content: Content, base: Base): void {
    localStorage.removeItem(this.#key);
    this.#key = storageKey(id);
    this.saved(content, base);
  }

  /** Keeps the draft now. */
  keep(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const base = this.base.peek();
    const kept: Kept = { content: this.content.peek(), ...(base && { base }) };
    if (this.isChanged) localStorage.setItem(this.#key, JSON.stringify(kept));
    else localStorage.removeItem(this.#key);
  }

  /** Before the page is left. */
  leave = (): void => {
    if (this.#timer !== undefined) this.keep();
  };

  #set(content: Content): void {
    this.content.value = content;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.keep(), KEEP_AFTER_MS);
  }

  #remember(): void {
    this.#past = [...this.#past, this.content.peek()].slice(-MAX_UNDOS);
    this.canUndo.value = true;
  }
}

function read(key: string): Kept | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as Kept | null;
    return kept && Array.isArray(kept.content?.dag?.steps) ? kept : undefined;
  } catch {
    return undefined;
  }
}
