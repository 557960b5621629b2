import { type Signal, signal } from '@preact/signals';
import { ApiError } from '../../data/client.ts';
import { type Problem, problemOf } from '../../data/problem.ts';
import { JobFailed, type ResultSet, runAsJob, runStatement, type Statement } from '../../data/sql.ts';
import type { Mark } from './editor-view.ts';

/** An error, and where in the text of the tab. */
export interface RunProblem extends Problem {
  places: readonly (Mark & { line: number; column: number })[];
}

export type Run =
  | { step: 'none' }
  | { step: 'running'; startedAt: number; isJob: boolean }
  | { step: 'done'; statement: Statement; written: string; result: ResultSet; ms: number }
  | { step: 'failed'; statement: Statement; problem: RunProblem; ms: number }
  | { step: 'cancelled'; ms: number };

const NONE: Run = { step: 'none' };
/** Results stay while their tabs are open, and are not stored. */
const runs = new Map<string, Signal<Run>>();
const controllers = new Map<string, AbortController>();

export function runOf(tabId: string): Signal<Run> {
  const known = runs.get(tabId) ?? signal<Run>(NONE);
  runs.set(tabId, known);
  return known;
}

/** Where a statement is in the text of its tab. */
export interface Origin {
  text: string;
  from: number;
  /** The place in the text as written of a place in the statement as sent. */
  placeOf(place: number): number;
}

interface Running {
  /** As it is sent. */
  statement: Statement;
  /** As the person wrote it. */
  written: string;
  origin: Origin;
  /** Up to ten minutes instead of seconds. */
  isJob: boolean;
}

/** Runs a statement in a tab, whose former run is cancelled. Resolves to how it ended. */
export async function startRun(tabId: string, { statement, written, origin, isJob }: Running): Promise<Run> {
  cancelRun(tabId);
  const controller = new AbortController();
  controllers.set(tabId, controller);
  const run = runOf(tabId);
  const startedAt = performance.now();
  run.value = { step: 'running', startedAt, isJob };
  let ended: Run;
  try {
    const result = await (isJob ? runAsJob : runStatement)(statement, controller.signal);
    ended = { step: 'done', statement, written, result, ms: performance.now() - startedAt };
  } catch (error) {
    const ms = performance.now() - startedAt;
    ended = controller.signal.aborted
      ? { step: 'cancelled', ms }
      : { step: 'failed', statement, problem: runProblem(error, statement.sql, origin), ms };
  }
  // A later run of the tab shows its own end.
  if (controllers.get(tabId) === controller) run.value = ended;
  return ended;
}

export function cancelRun(tabId: string): void {
  controllers.get(tabId)?.abort();
}

export function forgetRun(tabId: string): void {
  cancelRun(tabId);
  controllers.delete(tabId);
  runs.delete(tabId);
}

function runProblem(error: unknown, sql: string, origin: Origin): RunProblem {
  const problem = problemOf(error);
  if (error instanceof JobFailed) return { ...problem, code: error.code, places: [] };
  if (!(error instanceof ApiError)) return { ...problem, places: [] };
  const issues = error.errors.filter(({ position }) => !position);
  return { ...problem, issues, places: placesOf(error.errors, sql, origin) };
}

interface Placed {
  message: string;
  position?: { line: number; column: number };
}

/** Positions in a statement as places in the text that it is a part of. */
export function placesOf(
  errors: readonly Placed[],
  sql: string,
  { text, from, placeOf }: Origin,
): RunProblem['places'] {
  return errors.flatMap(({ message, position }) => {
    if (!position) return [];
    const at = from + placeOf(offsetOf(sql, position));
    const before = text.slice(0, at).split('\n');
    const word = /^(\w+|"[^"]*"|\S)/.exec(text.slice(at))?.[0] ?? '';
    return [{ message, from: at, to: at + word.length, line: before.length, column: before.at(-1)!.length + 1 }];
  });
}

function offsetOf(sql: string, { line, column }: { line: number; column: number }): number {
  const lines = sql.split('\n').slice(0, line - 1);
  return lines.reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
}
