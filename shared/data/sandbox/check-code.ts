import { DataError, type SqlIssue } from '../../platform/errors/data-error.ts';
import { positionOf } from './position.ts';
import { Sandbox, SandboxBusy, SandboxError } from './sandbox.ts';

export interface CheckLimits {
  /** Processor time for the code of one step. */
  codeMs: number;
  /** Processor time that a definition may spend on checks that time out. */
  wastedMs: number;
  /** Wall-clock time for checking a whole definition; the caller waits at most 29 seconds. */
  waitMs: number;
}

export const CHECK_LIMITS: CheckLimits = { codeMs: 2_000, wastedMs: 6_000, waitMs: 18_000 };

const CHECK_MEMORY_MB = 64;

/**
 * The issues of each code before it sees a row: it must be valid and declare its function. Codes that take too long
 * leave no time for those after them, which are reported as not checked. Throws `SERVICE_BUSY` if the machine is too
 * busy.
 */
export async function codeIssues(texts: readonly CodeCheck[], limits = CHECK_LIMITS): Promise<CheckCodeAnswer> {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(new SandboxBusy()), limits.waitMs);
  const known = new Map<string, SqlIssue[]>();
  let wastedMs = 0;
  const check = async (text: CodeCheck): Promise<SqlIssue[]> => {
    if (wastedMs >= limits.wastedMs || (wastedMs > 0 && waiting.signal.aborted)) return [NOT_CHECKED];
    try {
      const issues = await issuesOf(text, limits.codeMs, waiting.signal);
      if (issues.some(({ code }) => code === 'TIMEOUT')) wastedMs += limits.codeMs;
      return issues;
    } catch (error) {
      // The codes before this one have taken its time, not other work on the machine.
      if (error instanceof SandboxBusy && wastedMs > 0) return [NOT_CHECKED];
      throw error;
    }
  };
  try {
    const answers: CheckCodeAnswer = [];
    for (const text of texts) {
      const key = JSON.stringify([text.code, text.language, text.entrypoint]);
      const issues = known.get(key) ?? (await check(text));
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
  message: 'The code was not checked, because other code of the definition does not end. Fix that code first.',
};

async function issuesOf(
  { code, language, entrypoint }: CodeCheck,
  batchMs: number,
  signal: AbortSignal,
): Promise<SqlIssue[]> {
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
        batchMs,
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
