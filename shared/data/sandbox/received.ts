import type { CodePosition, ConsoleLine, FromSandbox, SandboxErrorCode } from './messages.ts';

/**
 * Messages of the sandbox thread are untrusted, because an author's code may have forged them. Only values of the right
 * types and sizes are passed on.
 */

/** Limits of the log of one sandbox, for all its batches together. */
export const MAX_LINES = 1000;
export const MAX_LINES_CHARACTERS = 1024 * 1024;
export const MAX_LINE_CHARACTERS = 4000;
const MAX_MESSAGE_CHARACTERS = 1000;
const MAX_CSV_CHARACTERS = 256 * 1024 * 1024;

const LEVELS: readonly unknown[] = ['info', 'warn', 'error'] satisfies ConsoleLine['level'][];
const CODES: readonly unknown[] = ['CODE_ERROR', 'TIMEOUT', 'OUT_OF_MEMORY'] satisfies SandboxErrorCode[];
const TASK = /^\d{1,10}\/task\/\d{1,10}$/;

/** Validates a message; undefined if it is invalid. Never throws. */
export function received(value: unknown): FromSandbox | undefined {
  try {
    return isObject(value) ? messageOf(value) : undefined;
  } catch {
    // A getter or a proxy has thrown.
    return undefined;
  }
}

function messageOf(value: Record<string, unknown>): FromSandbox | undefined {
  const { kind } = value;
  if (kind === 'started') {
    const { task } = value;
    return { kind, ...(typeof task === 'string' && TASK.test(task) ? { task } : {}) };
  }
  const lines = consoleLines(value.lines);
  if (kind === 'ready') return { kind, lines };
  if (kind === 'rows') {
    const { csv, rows } = value;
    const isValid = typeof csv === 'string' && csv.length <= MAX_CSV_CHARACTERS && isCount(rows);
    return isValid ? { kind, csv, rows: rows as number, lines } : undefined;
  }
  if (kind !== 'failed') return undefined;
  const { code, message } = value;
  if (!CODES.includes(code) || typeof message !== 'string') return undefined;
  const position = positionOf(value.position);
  const shown = message.slice(0, MAX_MESSAGE_CHARACTERS).toWellFormed();
  return { kind, code: code as SandboxErrorCode, message: shown, ...(position ? { position } : {}), lines };
}

/** The valid lines of a list, at most one more than may be logged. An unknown level becomes `info`. */
export function consoleLines(value: unknown): ConsoleLine[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX_LINES + 1).flatMap((line): ConsoleLine[] => {
    if (!isObject(line)) return [];
    const { level, message } = line;
    if (typeof message !== 'string') return [];
    return [
      {
        level: LEVELS.includes(level) ? (level as ConsoleLine['level']) : 'info',
        message: message.slice(0, MAX_LINE_CHARACTERS).toWellFormed(),
      },
    ];
  });
}

function positionOf(value: unknown): CodePosition | undefined {
  if (!isObject(value)) return undefined;
  const { line, column } = value;
  return isCount(line) && isCount(column) && line > 0 && column > 0 ? { line, column } : undefined;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Hands lines on up to the limits of a sandbox, then one line that says so. */
export function cappedLog(log: (line: ConsoleLine) => void): (lines: readonly ConsoleLine[]) => void {
  let [count, characters] = [0, 0];
  let isFull = false;
  return (lines) => {
    for (const line of lines) {
      if (isFull) return;
      count += 1;
      characters += line.message.length;
      isFull = count > MAX_LINES || characters > MAX_LINES_CHARACTERS;
      log(isFull ? { level: 'warn', message: 'Further lines are left out.' } : line);
    }
  };
}
