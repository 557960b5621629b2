import { createRequire } from 'node:module';
import { expect, vi } from 'vitest';

interface Pty {
  onData(take: (text: string) => void): void;
  onExit(take: (end: { exitCode: number; signal?: number }) => void): void;
  write(text: string): void;
}
type Spawn = (
  file: string,
  args: string[],
  options: { cols: number; rows: number; cwd: string; env: Record<string, string> },
) => Pty;

/** A program in a terminal of its own. */
export interface TerminalRun {
  /** Everything that it has shown, with its control sequences. */
  shown(): string;
  type(text: string): void;
  /** Waits until the program shows it. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  ended: Promise<{ code: number; shown: string }>;
}

const load = createRequire(import.meta.url);

function spawnOfPackage(): Spawn | undefined {
  try {
    return (load('@lydell/node-pty') as { spawn: Spawn }).spawn;
  } catch {
    return undefined;
  }
}
const spawn = spawnOfPackage();

/** The binary is in an optional package, which npm installs for the machines that it was built for. */
export const HAS_TERMINAL = spawn !== undefined;

export function inTerminal(
  file: string,
  args: string[],
  { columns, cwd, env }: { columns: number; cwd: string; env: Record<string, string> },
): TerminalRun {
  const pty = spawn!(file, args, { cols: columns, rows: 24, cwd, env: { TERM: 'xterm-256color', ...env } });
  let shown = '';
  pty.onData((text) => (shown += text));
  return {
    shown: () => shown,
    type: (text) => pty.write(text),
    async until(pattern) {
      await vi.waitFor(() => expect(shown).toMatch(pattern), { timeout: 60_000, interval: 50 });
      return pattern.exec(shown)!;
    },
    ended: new Promise((resolve) => pty.onExit(({ exitCode }) => resolve({ code: exitCode, shown }))),
  };
}
