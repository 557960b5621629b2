import { ApiError, TimeoutError } from '../../typescript/src/index.ts';

/** What the exit status of the program says; part of its promises, see its README. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  /** A comparison has found changes. */
  changes: 3,
  notSignedIn: 4,
  forbidden: 5,
  conflict: 6,
  timeout: 7,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command with a message for people and a code for programs. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;
  readonly problem: object;

  constructor(exitCode: ExitCode, message: string, code: string, members: object = {}) {
    super(message);
    this.exitCode = exitCode;
    this.problem = { code, detail: message, ...members };
  }
}

const BY_STATUS: Readonly<Record<number, ExitCode>> = {
  401: EXIT.notSignedIn,
  403: EXIT.forbidden,
  409: EXIT.conflict,
  412: EXIT.conflict,
  429: EXIT.timeout,
};

export const exitCodeOfStatus = (status: number): ExitCode => BY_STATUS[status] ?? EXIT.failed;

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof TimeoutError) return EXIT.timeout;
  return error instanceof ApiError ? exitCodeOfStatus(error.status) : EXIT.failed;
}
