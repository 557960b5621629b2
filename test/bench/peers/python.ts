import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What the scripts beside this file import, as pip names it. */
const PACKAGES = ['dlt[parquet]', 'connectorx', 'psycopg2-binary', 'dagster'];
const IMPORTS = 'import dlt, pyarrow, connectorx, sqlalchemy, psycopg2, dagster';

const run = promisify(execFile);

/** A Python that has the packages. */
export class Python {
  readonly versions: string;
  readonly #command: string;

  private constructor(command: string, versions: string) {
    this.#command = command;
    this.versions = versions;
  }

  /** Throws an error with the install command if a package is missing. */
  static async find(command: string): Promise<Python> {
    const script = `${IMPORTS}\nprint(f"dlt {dlt.__version__}, ConnectorX {connectorx.__version__}, Dagster {dagster.__version__}")`;
    try {
      const { stdout } = await run(command, ['-c', script]);
      return new Python(command, stdout.trim());
    } catch (cause) {
      const install = `python3 -m venv peers && peers/bin/pip install ${PACKAGES.map((name) => `'${name}'`).join(' ')}`;
      throw new Error(
        `${command} cannot import dlt, Dagster and the packages they need: ${reasonOf(cause)}\n\nInstall them:\n\n  ${install}\n\nThen run: npm run bench:peers peers/bin/python`,
        {
          cause,
        },
      );
    }
  }

  /** Runs a script beside this file, and returns what it printed as JSON. */
  async run<T>(script: string, ...args: string[]): Promise<T> {
    const { stdout } = await run(this.#command, [join(import.meta.dirname, script), ...args]);
    return JSON.parse(stdout.trim().split('\n').at(-1)!) as T;
  }
}

/** The last line that Python wrote names the missing package. */
export function reasonOf(cause: unknown): string {
  const { stderr, message } = cause as { stderr?: string; message: string };
  return stderr?.trim().split('\n').at(-1) || message;
}
