import { spawnSync } from 'node:child_process';

/** Runs a program with this terminal and these variables added to the environment; returns its exit code. */
export type Run = (
  program: string,
  args: readonly string[],
  folder: string,
  variables?: Readonly<Record<string, string>>,
) => number;

export const runProgram: Run = (program, args, cwd, variables = {}) =>
  spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...variables },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  }).status ?? 1;
