import { DataError, type SqlIssue } from '../../platform/errors/data-error.ts';
import { positionOf } from './position.ts';
import { Sandbox, SandboxBusy, SandboxError } from './sandbox.ts';

/** Processor time for one code. */
const CHECK_MS = 2_000;
/** Processor time that the codes of a definition may waste together. */
const MAX_WASTED_MS = 6_000;
/** Time on the clock for all codes of a definition: its caller waits 29 seconds at most. */
const MAX_WAIT_MS = 18_000;

const CHECK_MEMORY_MB = 64;

/**
 * What is wrong with each code before it sees a row: it must be readable and declare its function. Codes that take too long
 * leave no time for those after them, which are reported as not checked. Throws `SERVICE_BUSY` when the machine is too busy.
 */
export async function codeIssues(texts: readonly CodeCheck[]): Promise<CheckCodeAnswer> {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(new SandboxBusy()), MAX_WAIT_MS);
  const known = new Map<string, SqlIssue[]>();
  let wastedMs = 0;
  try {
    const answers: CheckCodeAnswer = [];
    for (const text of texts) {
      const key = JSON.stringify([text.code, text.language, text.entrypoint]);
      const issues =
        known.get(key) ?? (wastedMs >= MAX_WASTED_MS ? [NOT_CHECKED] : await issuesOf(text, waiting.signal));
      if (!known.has(key) && issues.some(({ code }) => code === 'TIMEOUT')) wastedMs += CHECK_MS;
      known.set(key, issues);
      answers.push(issues);
    }
    return answers;
  } catch (error) {
    if (!(error instanceof SandboxBusy)) throw error;
    const message = 'The code could not be checked because too much is checked at once. Try again.';
    throw new DataError('SERVICE_BUSY', message, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

const NOT_CHECKED: SqlIssue = {
  code: 'TIMEOUT',
  message: `The code was not checked, because other code of the definition took ${MAX_WASTED_MS} ms without an end.`,
};

async function issuesOf({ code, language, entrypoint }: CodeCheck, signal: AbortSignal): Promise<SqlIssue[]> {
  try {
    const sandbox = await Sandbox.open(
      {
        code,
        language,
        entrypoint,
        context: {},
        inputColumns: [],
        outputColumns: [],
        memoryMb: CHECK_MEMORY_MB,
        batchMs: CHECK_MS,
        seed: '',
        nowMs: 0,
      },
      () => {},
      signal,
    );
    await sandbox.close();
    return [];
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    const { code: name, message, position } = error;
    return [{ code: name, message, ...(position ? { position: positionOf(code, position) } : {}) }];
  }
}

/** Code to check: is it valid, and does it declare its function? */
export interface CheckCodeRequest {
  op: 'check-code';
  texts: CodeCheck[];
}

export interface CodeCheck {
  code: string;
  language: 'javascript' | 'typescript';
  entrypoint: string;
}

/** The issues of each piece of code. */
export type CheckCodeAnswer = SqlIssue[][];
