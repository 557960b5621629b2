import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError, EXIT } from './exit-codes.ts';

/** A platform and workspace to work with. */
export interface Context {
  url: string;
  /** Changes ask for `--confirm` with the name of the context. */
  protected?: boolean;
  /** Whose workspace it is, and who one was there at the sign-in. */
  workspace?: string;
  email?: string;
}

/** What is kept in the user's folders: no credential stands beside the contexts. */
export interface Config {
  current?: string;
  contexts: Record<string, Context>;
}

/** The tokens of a sign-in, which replace each other. */
export interface SignIn {
  refreshToken: string;
  accessToken: string;
  /** When the access token expires, in milliseconds. */
  expiresAt: number;
}

/** An API key, or a sign-in. */
export type Credential = string | SignIn;

type Env = Readonly<Record<string, string | undefined>>;

export interface Target extends Context {
  /** Undefined if the target comes from flags and variables alone. */
  name: string | undefined;
  credential: Credential;
}

/** The files of a user, where the system keeps such files. */
export class Settings {
  readonly #env: Env;
  readonly #config: string;
  readonly #credentials: string;

  constructor(env: Env) {
    this.#env = env;
    const home = env.HOME ?? homedir();
    const windows = env.APPDATA && join(env.APPDATA, 'analytics');
    this.#config = join(windows ?? join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'analytics'), 'config.json');
    this.#credentials = join(
      windows ?? join(env.XDG_STATE_HOME ?? join(home, '.local/state'), 'analytics'),
      'credentials.json',
    );
  }

  get config(): Config {
    return read<Config>(this.#config) ?? { contexts: {} };
  }

  /** Stores a context with its credential, and makes it the current one. */
  signIn(name: string, context: Context, credential: Credential): void {
    const { contexts } = this.config;
    write(this.#config, { current: name, contexts: { ...contexts, [name]: context } });
    this.keep(name, credential);
  }

  keep(name: string, credential: Credential): void {
    write(this.#credentials, { ...this.#all, [name]: credential }, 0o600);
  }

  credentialOf(name: string): Credential | undefined {
    return this.#all[name];
  }

  /** The file that stands for the right to replace credentials. */
  get lock(): string {
    return `${this.#credentials}.lock`;
  }

  /** The folder of the marks of deployments that run. */
  get deployments(): string {
    return join(dirname(this.#credentials), 'deployments');
  }

  change(config: Config): void {
    write(this.#config, config);
  }

  /** Forgets the credential of a context; true if there was one. */
  signOut(name: string): boolean {
    const { [name]: credential, ...others } = this.#all;
    write(this.#credentials, others, 0o600);
    return credential !== undefined;
  }

  get #all(): Record<string, Credential> {
    return read<Record<string, Credential>>(this.#credentials) ?? {};
  }

  /**
   * What a command works with: an address from a flag or the environment with the token of the environment, or a saved
   * context with its own. A token of the environment goes to no saved context, which may be another platform.
   */
  target(flags: { url?: string | undefined; context?: string | undefined }): Target {
    const url = flags.url ?? (flags.context === undefined ? this.#env.ANALYTICS_URL : undefined);
    if (url !== undefined) {
      const token = this.#env.ANALYTICS_TOKEN;
      if (!token) throw notSignedIn(`There is no credential for ${url}. Set ANALYTICS_TOKEN, or use a saved context.`);
      return { url, name: undefined, credential: token };
    }
    const { current, contexts } = this.config;
    const name = flags.context ?? this.#env.ANALYTICS_CONTEXT ?? current;
    if (name === undefined) throw notSignedIn('Sign in first: analytics login --url https://…');
    const context = contexts[name];
    if (!context) {
      const known = Object.keys(contexts).join(', ') || 'none';
      throw new CommandError(EXIT.usage, `There is no context "${name}". Known contexts: ${known}.`, 'CONTEXT_UNKNOWN');
    }
    const credential = this.credentialOf(name);
    if (!credential)
      throw notSignedIn(`You are signed out of ${name}. Sign in again: analytics login --context ${name}`);
    return { ...context, name, credential };
  }
}

export const notSignedIn = (message: string) => new CommandError(EXIT.notSignedIn, message, 'NOT_SIGNED_IN');

function read<T>(path: string): T | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    throw new CommandError(EXIT.failed, `${path} is not valid JSON. Mend or delete it.`, 'CONFIG_INVALID');
  }
}

/** As a whole or not at all, and readable by others only if they may. */
function write(path: string, value: unknown, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const next = `${path}.${process.pid}`;
  try {
    writeFileSync(next, `${JSON.stringify(value, null, 2)}\n`, { mode });
    chmodSync(next, mode);
    renameSync(next, path);
  } finally {
    rmSync(next, { force: true });
  }
}
