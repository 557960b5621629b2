import { text as textOf } from 'node:stream/consumers';
import { buildRouteMap } from '@stricli/core';
import { Analytics } from '../../../typescript/src/index.ts';
import { ask } from '../ask.ts';
import { command, type Session } from '../command.ts';
import { signInByDevice } from '../device.ts';
import { CommandError, EXIT, exitCodeOf } from '../exit-codes.ts';
import { signInByBrowser } from '../loopback.ts';
import { table } from '../output.ts';
import type { Context, Credential, Settings } from '../settings.ts';
import { tokensOf } from '../tokens.ts';

interface LoginFlags {
  name?: string;
  protected?: boolean;
  device?: boolean;
  browser?: boolean;
  key?: boolean;
  tokenStdin?: boolean;
}

const parsed = (brief: string, placeholder: string) =>
  ({ kind: 'parsed', parse: String, brief, placeholder, optional: true }) as const;
const flag = (brief: string) => ({ kind: 'boolean', brief, optional: true, withNegated: false }) as const;

export const login = command<LoginFlags>({
  brief: 'Sign in, and save the platform as a context',
  fullDescription:
    'Shows a code, which you approve in a browser on any machine. With --browser, opens a page in the browser of this machine, where you approve without a code. An API key works too: it is read from the terminal without being shown with --key, or from standard input with --token-stdin. Credentials are kept in a file that only you can read.',
  parameters: {
    flags: {
      name: parsed('Name of the context; the host by default', 'NAME'),
      protected: flag('Changes ask for --confirm'),
      device: flag('Show a code and wait for its approval, even without a terminal'),
      browser: flag('Approve in the browser of this machine, without a code'),
      key: flag('Ask for an API key'),
      tokenStdin: flag('Read an API key from standard input'),
    },
  },
  async run(session, { url, context, name, protected: isProtected, ...ways }) {
    const { settings, terminal, process, signal } = session;
    const known = context === undefined ? undefined : settings.config.contexts[context];
    const address = url ?? known?.url ?? process.env.ANALYTICS_URL;
    if (!address || !/^https?:$/.test(URL.parse(address)?.protocol ?? '')) {
      throw new CommandError(EXIT.usage, 'Specify the platform: analytics login --url https://…', 'URL_MISSING');
    }
    const credential = await credentialFor(session, ways, address);
    const token = typeof credential === 'string' ? credential : credential.accessToken;
    const api = new Analytics({ url: address, apiKey: token });
    const { user } = await api.auth.me({ signal });
    const { name: workspace } = await api.workspaces.get({ signal });
    const chosen = name ?? context ?? new URL(address).host;
    const before = settings.credentialOf(chosen) === undefined ? undefined : settings.config.contexts[chosen]?.email;
    if (ways.browser && before !== undefined && before !== user.email) {
      // Another user of this computer may have answered in place of the browser.
      await api.auth.logout({ signal });
      throw new CommandError(
        EXIT.conflict,
        `The browser has signed in ${user.email}, but context ${chosen} is of ${before}. To change it, end it first: analytics logout --context ${chosen}`,
        'ANOTHER_PERSON',
      );
    }
    settings.signIn(
      chosen,
      {
        ...{ url: address, workspace, email: user.email },
        ...((isProtected ?? known?.protected) && { protected: true }),
      },
      credential,
    );
    const signedIn = { context: chosen, url: address, email: user.email };
    const isLine = ways.device || ways.browser;
    if (terminal.isJson) terminal.out(JSON.stringify(isLine ? { type: 'signedIn', ...signedIn } : signedIn));
    else terminal.note(`Signed in to ${address} as ${user.email}. Saved as context ${chosen}.`);
  },
});

async function credentialFor(
  session: Session,
  { tokenStdin, key, device, browser }: LoginFlags,
  address: string,
): Promise<Credential> {
  const { terminal, process } = session;
  if (device && browser) throw new CommandError(EXIT.usage, 'Choose one of --device and --browser.', 'FLAGS_CONFLICT');
  if (browser) return signInByBrowser(session, address);
  if (tokenStdin) return (await textOf(process.stdin)).trim();
  if (!device && !terminal.isInteractive) {
    throw new CommandError(
      EXIT.usage,
      'There is no terminal. Pass an API key on standard input (analytics login --token-stdin < key.txt), or approve a code in a browser (analytics login --device).',
      'NO_TERMINAL',
    );
  }
  return key ? askForKey(session, address) : signInByDevice(session, address);
}

const askForKey = (session: Session, address: string): Promise<string> =>
  ask(session, `An API key for ${address} with the rights that you need:\n`, { isSecret: true });

export const logout = command({
  brief: 'End the sign-in of a context, and delete its credential',
  async run({ settings, terminal, flags, signal }) {
    const name = flags.context ?? settings.config.current;
    if (name === undefined) throw new CommandError(EXIT.notSignedIn, 'You are not signed in.', 'NOT_SIGNED_IN');
    const ended = await endSignIn(settings, name, signal);
    const was = settings.signOut(name);
    if (terminal.isJson) terminal.out(JSON.stringify({ context: name, signedOut: was }));
    else terminal.note(was ? `Signed out of ${name}.` : `You were not signed in to ${name}.`);
    if (!ended && !terminal.isJson)
      terminal.note('The platform could not end the sign-in. End it there, in the list of your sign-ins.');
  },
});

/** Keys stay valid; a sign-in ends. False if the platform could not be asked. */
async function endSignIn(settings: Settings, name: string, signal: AbortSignal): Promise<boolean> {
  const credential = settings.credentialOf(name);
  const url = settings.config.contexts[name]?.url;
  if (credential === undefined || typeof credential === 'string' || url === undefined) return true;
  const token = tokensOf(settings, { url, name, credential });
  try {
    await new Analytics({ url, token }).auth.logout({ signal });
    return true;
  } catch (error) {
    signal.throwIfAborted();
    // It has ended before.
    return exitCodeOf(error) === EXIT.notSignedIn;
  }
}

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
    if (all.length === 0) return terminal.note('There are no contexts yet. Sign in: analytics login --url https://…');
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
    else terminal.note(`Now using ${name} (${contexts[name].url}).`);
  },
});

const named = (brief: string) =>
  ({ kind: 'tuple', parameters: [{ brief, parse: String, placeholder: 'context', optional: true }] }) as const;

/** The context of a command that works with saved contexts alone. */
function savedContext({ settings, flags }: Session, name: string | undefined): { name: string; context: Context } {
  const { current, contexts } = settings.config;
  const chosen = name ?? flags.context ?? current;
  const context = chosen === undefined ? undefined : contexts[chosen];
  if (chosen !== undefined && context) return { name: chosen, context };
  const known = Object.keys(contexts).join(', ') || 'none';
  throw new CommandError(
    EXIT.usage,
    `There is no context "${chosen ?? ''}". Known contexts: ${known}.`,
    'CONTEXT_UNKNOWN',
  );
}

const show = command<object, [name?: string]>({
  brief: 'Show a saved context, the current one by default',
  parameters: { positional: named('Its name') },
  async run(session, _, name) {
    const { settings, terminal } = session;
    const { name: chosen, context } = savedContext(session, name);
    const credential = settings.credentialOf(chosen);
    const kind = credential === undefined ? 'none' : typeof credential === 'string' ? 'API key' : 'sign-in';
    const shown = { context: chosen, ...context, isCurrent: chosen === settings.config.current, credential: kind };
    if (terminal.isJson) return terminal.out(JSON.stringify(shown));
    terminal.out(`${chosen}: ${context.url}${context.protected ? ', protected' : ''} · credential: ${kind}`);
  },
});

const set = command<{ protected?: boolean }, [name?: string]>({
  brief: 'Protect a saved context, or end its protection',
  parameters: {
    positional: named('Its name'),
    flags: { protected: { kind: 'boolean', brief: 'Changes require --confirm with its name', optional: true } },
  },
  async run(session, { protected: isProtected }, name) {
    const { settings, terminal } = session;
    const { name: chosen, context } = savedContext(session, name);
    if (isProtected === undefined)
      throw new CommandError(EXIT.usage, 'Pass --protected or --no-protected.', 'SETTING_MISSING');
    const { protected: _, ...others } = context;
    const next = { ...others, ...(isProtected && { protected: true }) };
    settings.change({ ...settings.config, contexts: { ...settings.config.contexts, [chosen]: next } });
    if (terminal.isJson) terminal.out(JSON.stringify({ context: chosen, ...next }));
    else terminal.note(`${chosen} is ${isProtected ? 'protected: changes require --confirm' : 'not protected'}.`);
  },
});

export const context = buildRouteMap({
  routes: { list, use, show, set },
  docs: { brief: 'Platforms and workspaces that you work with' },
});
