import { HAS_PASSKEYS, signChallenge } from '../../../platform/browser/passkeys.ts';
import { takePending, type Way, wayTo } from '../../../platform/browser/sso.ts';
import { byId, el } from '../../browser/dom.ts';
import { ApiError, openSession, send } from './api.ts';
import { onSubmit, say } from './forms.ts';

const form = byId<HTMLFormElement>('step')!;
const hint = byId('hint')!;

const CONTINUED = 'continued-at';

async function begin(): Promise<void> {
  const query = new URLSearchParams(location.search);
  if (isSignInPage()) {
    if (query.has('error')) {
      askEmail();
      fail(new Error('The identity provider did not sign you in. Please try again.'));
      return;
    }
    if (query.has('code')) return finishSso(query);
  }
  // After a link from another site, the browser opens the page without the cookie. This request sends it.
  if (mayContinue() && (await isSignedIn())) return proceed();
  askEmail();
}

const isSignInPage = (): boolean => location.pathname === '/api/sign-in';

/** The page to open after the sign-in: this address if it is a dashboard, otherwise `next` if it is a page of ours. */
function nextPage(): string {
  if (!isSignInPage()) return location.href;
  return ownPage(new URLSearchParams(location.search).get('next'));
}

function ownPage(next: string | null): string {
  const address = next === null ? null : URL.parse(next, location.origin);
  const isOwn = address?.origin === location.origin && /^\/api\/(d|console)\//.test(`${address.pathname}/`);
  return isOwn ? address.href : '/api/console';
}

/** Limits how often the page reloads: a browser that rejects cookies would reload forever. */
function mayContinue(): boolean {
  const last = Number(sessionStorage.getItem(CONTINUED) ?? 0);
  return Date.now() - last > 10_000;
}

async function isSignedIn(): Promise<boolean> {
  try {
    await openSession();
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return false;
    throw error;
  }
}

function proceed(next = nextPage()): void {
  sessionStorage.setItem(CONTINUED, String(Date.now()));
  if (next === location.href) location.reload();
  else location.replace(next);
}

function askEmail(): void {
  hint.textContent = `Sign in to ${purpose()}.`;
  const email = field('Email', { type: 'email', name: 'email', autocomplete: 'username', required: true });
  show(
    [email.label],
    'Continue',
    async () => {
      const reply = await send('POST', '/api/auth/sso/discover', { email: email.input.value });
      const way = (await reply.json()) as Way;
      if (way.method === 'sso') return askProvider(way, email.input.value);
      askPassword(email.input.value);
    },
    passkeyButton('Sign in with a passkey', signInWithPasskey),
  );
}

function purpose(): string {
  if (isSignInPage()) return 'continue';
  return /^\/api\/d\/(device|connect)$/.test(location.pathname) ? 'connect a program' : 'see this dashboard';
}

const passkeyButton = (text: string, run: () => Promise<void>): HTMLElement[] =>
  HAS_PASSKEYS ? [linkButton(text, () => void run().catch(fail))] : [];

async function signInWithPasskey(): Promise<void> {
  const options = await send('POST', '/api/auth/passkeys/sign-in/options', {});
  const response = await signChallenge(await options.json());
  const reply = await send('POST', '/api/auth/passkeys/sign-in', { response });
  await keep(((await reply.json()) as { refreshToken: string }).refreshToken);
}

/** In place of a code. */
async function confirmWithPasskey(mfaToken: string): Promise<void> {
  const options = await send('POST', '/api/auth/mfa/passkey/options', { mfaToken });
  const response = await signChallenge(await options.json());
  const reply = await send('POST', '/api/auth/mfa/passkey', { mfaToken, response });
  await keep(((await reply.json()) as { refreshToken: string }).refreshToken);
}

function askProvider(way: Way, email: string): void {
  hint.textContent = `${email} signs in with ${way.name}.`;
  const others = way.required ? [] : [linkButton('Use a password instead', () => askPassword(email))];
  show(
    [],
    `Continue with ${way.name}`,
    async () => {
      location.assign(await wayTo(way, { email, next: nextPage() }));
    },
    others,
  );
}

function askPassword(email: string): void {
  hint.textContent = email;
  const password = field('Password', {
    type: 'password',
    name: 'password',
    autocomplete: 'current-password',
    required: true,
  });
  show(
    [password.label],
    'Sign in',
    async () => {
      const reply = await send('POST', '/api/auth/login', { email, password: password.input.value });
      const signedIn = (await reply.json()) as { refreshToken: string } | { mfaRequired: true; mfaToken: string };
      if ('mfaRequired' in signedIn) return askCode(email, signedIn.mfaToken);
      await keep(signedIn.refreshToken);
    },
    [linkButton('Use another address', askEmail)],
  );
}

function askCode(email: string, mfaToken: string): void {
  hint.textContent = `Enter the code from your authenticator app, or a recovery code, for ${email}.`;
  const code = field('Code', { type: 'text', name: 'code', autocomplete: 'one-time-code', required: true });
  show(
    [code.label],
    'Sign in',
    async () => {
      const reply = await send('POST', '/api/auth/mfa/verify', { mfaToken, code: code.input.value.trim() });
      await keep(((await reply.json()) as { refreshToken: string }).refreshToken);
    },
    passkeyButton('Use a passkey instead', () => confirmWithPasskey(mfaToken)),
  );
}

async function finishSso(query: URLSearchParams): Promise<void> {
  const pending = takePending(query.get('state'));
  history.replaceState(null, '', '/api/sign-in');
  if (!pending) {
    askEmail();
    fail(new Error('This sign-in was not started in this window. Please start again.'));
    return;
  }
  try {
    const reply = await send('POST', '/api/auth/sso/token', {
      code: query.get('code'),
      codeVerifier: pending.verifier,
    });
    await keep(((await reply.json()) as { refreshToken: string }).refreshToken, ownPage(pending.next));
  } catch (error) {
    askEmail();
    throw error;
  }
}

/** Moves the sign-in to the cookie. This invalidates its first refresh token. */
async function keep(refreshToken: string, next?: string): Promise<void> {
  await openSession({ refreshToken });
  proceed(next);
}

function field(name: string, attributes: Record<string, string | boolean>) {
  const input = el('input', attributes);
  return { input, label: el('label', {}, name, input) };
}

function linkButton(text: string, run: () => void): HTMLElement {
  const button = el('button', { type: 'button', class: 'plain' }, text);
  button.addEventListener('click', run);
  return button;
}

function show(fields: HTMLElement[], action: string, run: () => Promise<void>, others: HTMLElement[] = []): void {
  say();
  const button = el('button', { type: 'submit', class: 'main' }, action);
  form.replaceChildren(...fields, button, ...others);
  form.hidden = false;
  form.querySelector('input')?.focus();
  onSubmit(form, button, run);
}

function fail(error: unknown): void {
  if (form.hidden) askEmail();
  say(error);
}

void begin().catch(fail);
