import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Where the sources of the Python client are. */
export const PYTHON_CLIENT = join(import.meta.dirname, '../../clients/python');

const python = process.env.PYTHON ?? 'python3';

/** Whether the Python of `PYTHON`, or `python3`, can run the Python client. */
export const HAS_PYTHON =
  spawnSync(python, ['-c', 'import sys, httpx2; sys.exit(sys.version_info < (3, 10))']).status === 0;
if (!HAS_PYTHON) {
  console.warn(`The Python client is not run here: ${python} is no Python 3.10 or newer with httpx2 (see PYTHON).`);
}

/** Runs a program with the Python client, and returns what it prints. Fails with its standard error. */
export async function runPython(
  programOrOptions: readonly string[],
  input = '',
  folder = PYTHON_CLIENT,
): Promise<string> {
  const running = promisify(execFile)(python, programOrOptions, {
    cwd: folder,
    env: { ...process.env, PYTHONPATH: join(PYTHON_CLIENT, 'src'), PYTHONDONTWRITEBYTECODE: '1' },
    maxBuffer: 64 * 1024 ** 2,
  });
  running.child.stdin!.end(input);
  return (await running).stdout;
}
