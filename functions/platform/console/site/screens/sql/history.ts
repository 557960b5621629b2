import { signal } from '@preact/signals';

/** A run of the person in this browser. */
export interface Past {
  sql: string;
  sourceId: string | null;
  at: string;
  ms: number;
  /** How many rows came, or why none did. */
  rows?: number;
  error?: string;
}

const MAX = 100;
const changes = signal(0);

const keyOf = (owner: string): string => `sql-history ${owner}`;

/** Newest first. Values of parameters are not kept. */
export function pastRuns(owner: string): readonly Past[] {
  void changes.value;
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(owner)) ?? '[]') as unknown;
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** The same statement again replaces its last run. */
export function keepRun(owner: string, past: Past): void {
  const others = pastRuns(owner).filter(({ sql, sourceId }) => sql !== past.sql || sourceId !== past.sourceId);
  try {
    localStorage.setItem(keyOf(owner), JSON.stringify([past, ...others].slice(0, MAX)));
  } catch {
    // A full storage keeps what it has.
  }
  changes.value += 1;
}

export function clearHistory(owner: string): void {
  localStorage.removeItem(keyOf(owner));
  changes.value += 1;
}
