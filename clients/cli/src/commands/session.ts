import { createInterface } from 'node:readline/promises';
import { text as textOf } from 'node:stream/consumers';
import { buildRouteMap } from '@stricli/core';
import { Analytics } from '../../../typescript/src/index.ts';
import { command, type Session } from '../command.ts';
import { CommandError, EXIT } from '../exit-codes.ts';
import { table } from '../output.ts';

interface LoginFlags {
  name?: string;
  protected?: boolean;
  tokenStdin?: boolean;
}

const parsed = (brief: string, placeholder: string) =>
  ({ kind: 'parsed', parse: String, brief, placeholder, optional: true }) as const;

export const login = command<LoginFlags>({
  brief: 'Sign in with an API key, and save the platform as a context',
  fullDescription:
    'The key is read from the terminal without being shown, or from standard input with --token-stdin. It is kept in a file that only you can read.',
  parameters: {
    flags: {
      name: parsed('Name of the context; the host by default', 'NAME'),
      protected: { kind: 'boolean', brief: 'Changes ask for --confirm', optional: true, withNegated: false },
      tokenStdin: { kind: 'boolean', brief: 'Read the key from standard input', optional: true, withNegated: false },
    },
  },
  async run(session, { url, context, name, protected: isProtected, tokenStdin }) {
    const { settings, terminal, process } = session;
    const known = context === undefined ? undefined : settings.config.contexts[context];
    const address = url ?? known?.url ?? process.env.ANALYTICS_URL;
    if (!address || !URL.canParse(address)) {
      throw new CommandError(EXIT.usage, 'Say which platform: analytics login --url https://…', 'URL_MISSING');
    }
    const token = tokenStdin ? (await textOf(process.stdin)).trim() : await askForKey(session, address);
    const me = await new Analytics({ url: address, apiKey: token }).auth.me({ signal: session.signal });
    const chosen = name ?? context ?? new URL(address).host;
    settings.signIn(chosen, { url: address, ...((isProtected ?? known?.protected) && { protected: true }) }, token);
    if (terminal.isJson) terminal.out(JSON.stringify({ context: chosen, url: address, email: me.user.email }));
    else terminal.note(`Signed in to ${address} as ${me.user.email}. Saved as context ${chosen}.`);
  },
});

async function askForKey({ terminal, process, signal }: Session, address: string): Promise<string> {
  if (!terminal.isInteractive) {
    throw new CommandError(
      EXIT.usage,
      'Pass the key on standard input: analytics login --token-stdin < key.txt',
      'NO_TERMINAL',
    );
  }
  terminal.note(`An API key of ${address} with the rights that you need:`);
  const { Writable } = await import('node:stream');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return (await lines.question('', { signal })).trim();
  } finally {
    lines.close();
  }
}

export const logout = command({
  brief: 'Forget the credential of a context',
  async run({ settings, terminal, flags }) {
    const name = flags.context ?? settings.config.current;
    if (name === undefined) throw new CommandError(EXIT.notSignedIn, 'You are not signed in.', 'NOT_SIGNED_IN');
    const was = settings.signOut(name);
    if (terminal.isJson) terminal.out(JSON.stringify({ context: name, signedOut: was }));
    else terminal.note(was ? `Signed out of ${name}.` : `You were not signed in to ${name}.`);
  },
});

export const whoami = command({
  brief: 'Show who you are, and where',
  async run({ api, target, terminal, signal }) {
    const { user, ...rest } = await api.auth.me({ signal });
    const workspace = await api.workspaces.get({ signal });
    if (terminal.isJson) {
      terminal.out(JSON.stringify({ url: target.url, context: target.name ?? null, user, ...rest, workspace }));
      return;
    }
    terminal.out(`${user.email} in ${workspace.name} (${target.url})`);
  },
});

const list = command({
  brief: 'List the saved contexts',
  async run({ settings, terminal }) {
    const { current, contexts } = settings.config;
    const all = Object.entries(contexts).map(([name, context]) => ({ name, isCurrent: name === current, ...context }));
    if (terminal.isJson) return terminal.out(JSON.stringify(all));
    if (all.length === 0) return terminal.note('None yet. Sign in: analytics login --url https://…');
    const rows = all.map(({ name, url, isCurrent, protected: isProtected }) => [
      isCurrent ? '*' : '',
      name,
      url,
      isProtected ? 'protected' : '',
    ]);
    terminal.out(table(terminal, [{ name: '' }, { name: 'CONTEXT' }, { name: 'ADDRESS' }, { name: '' }], rows));
  },
});

const use = command<object, [name: string]>({
  brief: 'Choose the context of the commands that follow',
  parameters: {
    positional: { kind: 'tuple', parameters: [{ brief: 'Its name', parse: String, placeholder: 'context' }] },
  },
  async run({ settings, terminal }, _, name) {
    const { contexts } = settings.config;
    if (!contexts[name]) throw new CommandError(EXIT.usage, `There is no context "${name}".`, 'CONTEXT_UNKNOWN');
    settings.change({ current: name, contexts });
    if (terminal.isJson) terminal.out(JSON.stringify({ context: name, ...contexts[name] }));
    else terminal.note(`Now working with ${name} (${contexts[name].url}).`);
  },
});

export const context = buildRouteMap({
  routes: { list, use },
  docs: { brief: 'Platforms and workspaces that you work with' },
});
