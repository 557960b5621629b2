import type { SqlIssue } from '../../platform/errors/data-error.ts';
import { positionOf } from './position.ts';
import { Sandbox, SandboxError } from './sandbox.ts';

const CHECK_MS = 2_000;

const CHECK_MEMORY_MB = 64;

/** What is wrong with a code before it sees a row: it must be readable and declare its function. */
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

/** Can each code be read, and does it declare its function? */
export interface CheckCodeRequest {
  op: 'check-code';
  texts: CodeCheck[];
}

export interface CodeCheck {
  code: string;
  language: 'javascript' | 'typescript';
  entrypoint: string;
}

/** The issues of each code. */
export type CheckCodeAnswer = SqlIssue[][];
