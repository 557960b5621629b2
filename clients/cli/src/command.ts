import { buildCommand, type Command, type CommandContext } from '@stricli/core';
import { Analytics, ApiError, ConnectionError } from '../../typescript/src/index.ts';
import { CommandError, EXIT, exitCodeOf } from './exit-codes.ts';
import { printable, type Terminal, terminal } from './output.ts';
import { Settings, type Target } from './settings.ts';
import { tokensOf } from './tokens.ts';
import { USER_AGENT } from './user-agent.ts';

export interface CliContext extends CommandContext {
  process: NodeJS.Process;
}

/** What a command has at hand. */
export interface Session {
  terminal: Terminal;
  settings: Settings;
  process: NodeJS.Process;
  /** The platform that the command works with; signs in when it is first used. */
  readonly target: Target;
  readonly api: Analytics;
  /** The token for the next request to the platform. */
  token(): Promise<string>;
  /** Ends when the user interrupts the command. */
  signal: AbortSignal;
  flags: CommonFlags;
}

export interface CommonFlags {
  url?: string;
  context?: string;
  json?: boolean;
  confirm?: string;
}

const text = (brief: string, placeholder: string) =>
  ({ kind: 'parsed', parse: String, brief, placeholder, optional: true }) as const;

const COMMON = {
  url: text('Address of the platform', 'URL'),
  context: text('Name of a saved context', 'NAME'),
  json: { kind: 'boolean', brief: 'Print JSON for programs', optional: true, withNegated: false },
} as const;

const CONFIRM = { confirm: text('Name of the context, if it is protected', 'NAME') } as const;

interface Definition<F, A extends readonly unknown[]> {
  brief: string;
  fullDescription?: string;
  /** The command changes something on the platform: it names its target first, and protected targets need `--confirm`. */
  changes?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: the library checks that parameters fit the types of the function
  parameters?: any;
  run(session: Session, flags: F & CommonFlags, ...args: A): Promise<void>;
}

/** A command that reports errors and its exit status in the same way as all others. */
export function command<F = object, A extends readonly unknown[] = readonly []>(
  definition: Definition<F, A>,
): Command<CliContext> {
  const { brief, fullDescription, changes, parameters = {}, run } = definition;
  return buildCommand({
    docs: { brief, ...(fullDescription && { fullDescription }) },
    parameters: { ...parameters, flags: { ...parameters.flags, ...COMMON, ...(changes && CONFIRM) } },
    async func(this: CliContext, flags: F & CommonFlags, ...args: unknown[]) {
      const session = sessionOf(this.process, flags);
      try {
        if (changes) announce(session);
        await run(session, flags, ...(args as unknown as A));
      } catch (error) {
        report(session, causeOf(error));
      }
    },
  } as Parameters<typeof buildCommand>[0]) as unknown as Command<CliContext>;
}

function sessionOf(process: NodeJS.Process, flags: CommonFlags): Session {
  const settings = new Settings(process.env);
  const interrupted = new AbortController();
  process.once('SIGINT', () => {
    interrupted.abort(new CommandError(EXIT.interrupted, 'Interrupted.', 'INTERRUPTED'));
  });
  let target: Target | undefined;
  let api: Analytics | undefined;
  let next: (() => Promise<string>) | undefined;
  return {
    terminal: terminal(process, flags.json === true),
    settings,
    process,
    flags,
    signal: interrupted.signal,
    get target() {
      target ??= settings.target(flags);
      return target;
    },
    get api() {
      api ??= new Analytics({
        url: this.target.url,
        token: () => this.token(),
        headers: { 'user-agent': USER_AGENT },
      });
      return api;
    },
    token() {
      next ??= tokensOf(settings, this.target);
      return next();
    },
  };
}

/** Every command that changes something says first where. */
export function targetLine({ name, url, workspace, email }: Target): string {
  const place = [workspace, name].filter((each) => each !== undefined).map(printable);
  return `→ ${place.length > 0 ? `${place.join(' / ')} ` : ''}(${url})${email ? ` as ${printable(email)}` : ''}`;
}

/** What the client fails with if there is no token to send. */
const causeOf = (error: unknown): unknown =>
  error instanceof ConnectionError && error.cause instanceof CommandError ? error.cause : error;

function announce({ terminal, target, flags }: Session): void {
  if (!terminal.isJson) terminal.note(targetLine(target));
  if (target.protected && flags.confirm !== target.name) {
    throw new CommandError(
      EXIT.usage,
      `The context ${target.name} is protected. Repeat the command with --confirm ${target.name}.`,
      'CONTEXT_PROTECTED',
    );
  }
}

function report({ terminal, process }: Session, error: unknown): void {
  const exitCode = exitCodeOf(error);
  process.exitCode = exitCode;
  if (terminal.isJson) {
    const problem =
      error instanceof ApiError
        ? error.problem
        : error instanceof CommandError
          ? error.problem
          : { code: 'FAILED', detail: messageOf(error) };
    terminal.out(JSON.stringify({ error: { exitCode, ...problem } }));
    return;
  }
  terminal.note(terminal.paint('red', messageOf(error)));
  if (exitCode === EXIT.notSignedIn && error instanceof ApiError) terminal.note('Sign in again: analytics login');
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
