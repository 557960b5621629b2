import type { QUESTIONS } from '../orders.ts';

export type QuestionName = keyof typeof QUESTIONS & string;

export interface Asking {
  /** Computed again, whatever is cached. */
  fresh: boolean;
  /** Another number makes another question with the same answer, so that equal ones at once are not answered by one. */
  variant: number;
}

/** What a product answered: its rows in the common form, and the time of the whole request or requests. */
export interface Answered {
  ms: number;
  rows: string[];
}

/** A product that answers the questions over the same rows. */
export interface Answering {
  name: string;
  /** Starts it unless it runs, and waits until it is ready. */
  start(): Promise<void>;
  stop(): Promise<void>;
  ask(name: QuestionName, asking: Asking): Promise<Answered>;
  /** Milliseconds for so many rows in one file or reply. Throws if it has fewer. */
  manyRows(count: number): Promise<number>;
}

const TOP = 10;
const MAX_GROUPS = 1_000;

/** The number of rows to ask for: never fewer than there are to be seen, and another for each variant. */
export const limitOf = (name: QuestionName, variant: number): number => (isTop(name) ? TOP : MAX_GROUPS) + variant;

const isTop = (name: QuestionName) => name.startsWith('top ten');

/**
 * Rows in one form: months as `2023-01`, the last column to the cent, in alphabetical order.
 *
 * Columns are in the order of the question, its measure last. A month is text that begins with a date, or milliseconds.
 */
export function commonRows(name: QuestionName, rows: readonly (readonly unknown[])[]): string[] {
  const first = isTop(name) ? rows.slice(0, TOP) : rows;
  return first.map((row) => [...row.slice(0, -1).map(commonValue), Number(row.at(-1)).toFixed(2)].join(' | ')).sort();
}

function commonValue(value: unknown): string {
  if (typeof value === 'number' && value > MAX_CUSTOMER) return new Date(value).toISOString().slice(0, 7);
  const text = String(value);
  return /^\d{4}-\d\d-\d\d/.test(text) ? text.slice(0, 7) : text;
}

/** No number of a customer is greater, and no month is less. */
const MAX_CUSTOMER = 1_000_000_000;
