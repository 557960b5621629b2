import type { Ending, FunctionError } from './environment.ts';

/** Why the service killed an environment during a call. */
export type KillReason = 'timeout' | 'memory';

/** The status of an invocation in REPORT and metrics. */
export type Status = 'success' | 'error' | 'timeout';

export interface Outcome {
  status: Status;
  error?: FunctionError;
  body: Buffer;
}

const EMPTY = Buffer.alloc(0);

/** Converts the end of a call into Lambda's answer to the caller. */
export function outcomeOf(
  ending: Ending,
  killed: KillReason | undefined,
  call: { requestId: string; timeoutSeconds: number },
): Outcome {
  const about = `RequestId: ${call.requestId} Error:`;
  const failed = (status: Status, errorType: string, errorMessage: string): Outcome => ({
    status,
    error: { errorType, errorMessage: `${about} ${errorMessage}` },
    body: EMPTY,
  });
  if (ending.kind === 'answered') {
    return ending.error
      ? { status: 'error', error: ending.error, body: EMPTY }
      : { status: 'success', body: ending.body };
  }
  if (killed === 'timeout') {
    return failed('timeout', 'Sandbox.Timedout', `Task timed out after ${call.timeoutSeconds.toFixed(2)} seconds`);
  }
  if (killed === 'memory') {
    return failed('error', 'Runtime.OutOfMemory', 'Runtime exited with error: signal: killed');
  }
  return failed('error', 'Runtime.ExitError', exitReason(ending.exitCode, ending.signal));
}

const SIGNAL_NAMES: Partial<Record<NodeJS.Signals, string>> = {
  SIGKILL: 'killed',
  SIGABRT: 'aborted',
  SIGSEGV: 'segmentation fault',
  SIGTERM: 'terminated',
  SIGUSR2: 'user defined signal 2',
};

function exitReason(exitCode: number | null, signal: NodeJS.Signals | null): string {
  if (signal) return `Runtime exited with error: signal: ${SIGNAL_NAMES[signal] ?? signal}`;
  if (exitCode === 0) return 'Runtime exited without providing a reason';
  return `Runtime exited with error: exit status ${exitCode ?? 'unknown'}`;
}
