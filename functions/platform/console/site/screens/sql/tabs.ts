import { type Signal, signal } from '@preact/signals';

/** A value of a parameter, as it is typed, and what it is. */
export interface ParameterField {
  type: string;
  /** Empty for no value. */
  text: string;
}

/** What was saved, to see whether the tab differs from it. */
export interface SavedAs {
  id: string;
  revision: number;
  name: string;
  sql: string;
  sourceId: string | null;
}

/** A tab, without its text: typing changes the text, and may render nothing else. */
export interface Tab {
  id: string;
  createdAt: number;
  /** Empty until the person names it. */
  name: string;
  /** A database in the place of datasets. */
  sourceId: string | null;
  limit: number;
  params: Readonly<Record<string, ParameterField>>;
  saved?: SavedAs | undefined;
}

type Stored = Tab & { sql: string };

export const DEFAULT_LIMIT = 1_000;
const PAUSE_MS = 300;

/** The tabs of a person in a workspace. Each is stored under its own key, so that windows do not undo each other. */
export class Tabs {
  readonly all: Signal<readonly Tab[]>;
  readonly currentId: Signal<string>;
  /** The tabs whose text differs from what was saved. */
  readonly changed = signal<ReadonlySet<string>>(new Set());
  readonly #listeners = new Set<() => void>();
  readonly #texts = new Map<string, string>();
  readonly #prefix: string;
  readonly #storage: Storage;
  readonly #session: Storage;
  readonly #unstored = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(owner: string, storage: Storage, session: Storage) {
    this.#prefix = `sql ${owner} `;
    this.#storage = storage;
    this.#session = session;
    const stored = this.#stored();
    for (const { id, sql } of stored) this.#texts.set(id, sql);
    this.all = signal(stored.length > 0 ? stored.map(({ sql: _sql, ...tab }) => tab) : [fresh()]);
    for (const { id } of this.all.value) this.#compare(id);
    const last = session.getItem(this.#prefix);
    this.currentId = signal((this.all.value.find(({ id }) => id === last) ?? this.all.value.at(-1)!).id);
  }

  get current(): Tab {
    return this.all.value.find(({ id }) => id === this.currentId.value) ?? this.all.value[0]!;
  }

  find(id: string): Tab | undefined {
    return this.all.peek().find((tab) => tab.id === id);
  }

  textOf(id: string): string {
    return this.#texts.get(id) ?? '';
  }

  show(id: string): void {
    this.currentId.value = id;
    this.#session.setItem(this.#prefix, id);
  }

  add({ sql = '', ...given }: Partial<Stored> = {}): Tab {
    const tab = { ...fresh(), ...given };
    this.#texts.set(tab.id, sql);
    this.all.value = [...this.all.value, tab];
    this.#compare(tab.id);
    this.#write(tab.id);
    this.show(tab.id);
    return tab;
  }

  /** Returns what was closed, to open it again. */
  close(id: string): Stored | undefined {
    const at = this.all.value.findIndex((tab) => tab.id === id);
    const closed = this.all.value[at];
    if (!closed) return undefined;
    const sql = this.textOf(id);
    const rest = this.all.value.filter((tab) => tab.id !== id);
    this.#unstored.delete(id);
    this.#texts.delete(id);
    this.#storage.removeItem(this.#prefix + id);
    this.all.value = rest.length > 0 ? rest : [fresh()];
    if (this.currentId.value === id) this.show((this.all.value[at] ?? this.all.value.at(-1)!).id);
    return { ...closed, sql };
  }

  change(id: string, change: Partial<Tab>): void {
    this.all.value = this.all.value.map((tab) => (tab.id === id ? { ...tab, ...change } : tab));
    this.#compare(id);
    this.#later(id);
  }

  /** Renders nothing, unless the text begins or ceases to differ from what was saved. */
  type(id: string, sql: string): void {
    if (this.textOf(id) === sql) return;
    this.#texts.set(id, sql);
    this.#compare(id);
    this.#later(id);
    for (const listen of this.#listeners) listen();
  }

  /** Returns what ends it. */
  onType(listen: () => void): () => void {
    this.#listeners.add(listen);
    return () => this.#listeners.delete(listen);
  }

  /** Stores everything now, as before the page is left. */
  flush(): void {
    clearTimeout(this.#timer);
    for (const id of this.#unstored) this.#write(id);
    this.#unstored.clear();
  }

  #compare(id: string): void {
    const saved = this.find(id)?.saved;
    const differs = saved !== undefined && saved.sql !== this.textOf(id);
    const changed = this.changed.peek();
    if (changed.has(id) === differs) return;
    this.changed.value = differs ? new Set([...changed, id]) : new Set([...changed].filter((each) => each !== id));
  }

  #later(id: string): void {
    this.#unstored.add(id);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), PAUSE_MS);
  }

  #write(id: string): void {
    try {
      this.#storage.setItem(this.#prefix + id, JSON.stringify({ ...this.find(id), sql: this.textOf(id) }));
    } catch {
      // A full storage keeps what it has.
    }
  }

  #stored(): Stored[] {
    const keys = Array.from({ length: this.#storage.length }, (_, index) => this.#storage.key(index)!);
    return keys
      .filter((key) => key.startsWith(this.#prefix))
      .flatMap((key) => parsed(this.#storage.getItem(key)) ?? [])
      .sort((one, other) => one.createdAt - other.createdAt);
  }
}

const fresh = (): Tab => ({
  id: crypto.randomUUID(),
  createdAt: Date.now(),
  name: '',
  sourceId: null,
  limit: DEFAULT_LIMIT,
  params: {},
});

function parsed(text: string | null): Stored | undefined {
  try {
    const tab = JSON.parse(text ?? '') as Stored;
    return typeof tab.id === 'string' && typeof tab.sql === 'string' ? tab : undefined;
  } catch {
    return undefined;
  }
}
