import type { SqlIssue } from '../../platform/errors/data-error.ts';
import { positionOf } from './position.ts';
import { Sandbox, SandboxError } from './sandbox.ts';

const CHECK_MS = 2_000;

const CHECK_MEMORY_MB = 64;

/** Issues of code that can be found without rows: syntax errors, or a missing function. */
export async function codeIssues({ code, language, entrypoint }: CodeCheck): Promise<SqlIssue[]> {
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
