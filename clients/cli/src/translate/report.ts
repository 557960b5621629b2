import type { Place } from './source-file.ts';

/** Something that was not taken over, or that should be looked at. */
export interface Note extends Place {
  /** `unmapped` is not in the files that were written; `check` is, and may mean something else there. */
  kind: 'unmapped' | 'check';
  /** Such as `metric revenue_mtd`. */
  subject: string;
  reason: string;
}

/** What a translation has to say besides its files. */
export class Report {
  readonly #notes: Note[] = [];

  /** Returns an empty list, for callers that have nothing else to return. */
  unmapped(place: Place, subject: string, reason: string): [] {
    this.#notes.push({ kind: 'unmapped', ...place, subject, reason });
    return [];
  }

  check(place: Place, subject: string, reason: string): void {
    this.#notes.push({ kind: 'check', ...place, subject, reason });
  }

  /** Does the work; what it cannot translate is noted, and `undefined` is returned. */
  attempt<T>(place: Place, subject: string, work: (checks: string[]) => T): T | undefined {
    const checks: string[] = [];
    try {
      const made = work(checks);
      for (const reason of new Set(checks)) this.check(place, subject, reason);
      return made;
    } catch (error) {
      if (!(error instanceof Untranslatable)) throw error;
      this.unmapped(place, subject, error.message);
      return undefined;
    }
  }

  /** By file and line. */
  get notes(): Note[] {
    const order = (a: Note, b: Note) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1);
    return [...this.#notes].sort(order);
  }
}

/** Why something has no counterpart on the platform. */
export class Untranslatable extends Error {}
