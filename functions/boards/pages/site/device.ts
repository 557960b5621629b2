import { byId, configOf, el } from '../../browser/dom.ts';
import { ApiError, call, openedSession } from './api.ts';
import { onSubmit, say } from './forms.ts';

interface DeviceRequest {
  userCode: string;
  clientName: string | null;
  sourceIp: string;
  userAgent: string | null;
  isSameNetwork: boolean;
  requestedAt: string;
  grants: string;
  warning: string;
}

/** Of a program that has opened this page. */
interface Config {
  request?: { clientName?: string; redirectUri: string; codeChallenge: string; state: string };
  grants: string;
  warning: string;
  /** Whom the page names. */
  userId: string;
  workspaceId: string;
}

/** A click that was meant for something else must not approve. */
const READING_MS = 1000;

const config = configOf<Config>();
const form = byId<HTMLFormElement>('step')!;
const hint = byId('hint')!;

function askCode(): void {
  const input = el('input', {
    type: 'text',
    name: 'code',
    autocomplete: 'off',
    autocapitalize: 'characters',
    spellcheck: 'false',
    maxlength: '20',
    required: true,
  });
  const button = el('button', { type: 'submit', class: 'main' }, 'Continue');
  form.replaceChildren(el('label', {}, 'Code', input), button);
  form.hidden = false;
  input.focus();
  onSubmit(form, button, async () => {
    const reply = await call('POST', '/api/auth/device/find', { userCode: input.value });
    askAboutDevice((await reply.json()) as DeviceRequest);
  });
}

function askAboutDevice(request: DeviceRequest): void {
  const { userCode, clientName, sourceIp, userAgent, isSameNetwork, requestedAt } = request;
  hint.textContent = `Does your program show the code ${userCode}?`;
  const place = isSameNetwork ? `${sourceIp}, your own address` : `${sourceIp}, which is not your address`;
  const facts = [
    `Program: ${clientName ?? 'unnamed'}`,
    `Asks from: ${place}`,
    `User agent: ${userAgent ?? 'none'}`,
    `Started: ${new Date(requestedAt).toLocaleString()}`,
  ];
  const decide = async (decision: 'approve' | 'deny', done: string) => {
    await call('POST', `/api/auth/device/${decision}`, { userCode });
    hint.textContent = done;
    form.hidden = true;
  };
  askDecision(facts, request, {
    approve: () => decide('approve', 'Approved. You can close this page and return to your program.'),
    deny: () => decide('deny', 'Denied. The program is not signed in.'),
  });
}

/** The program waits at an address of this computer, where the browser takes the answer. */
function askAboutProgram({ request, ...texts }: Required<Config>): void {
  const { clientName, redirectUri, state } = request;
  const goBack = (address: string, done: string) => {
    hint.textContent = done;
    form.hidden = true;
    location.replace(address);
  };
  askDecision([`Program: ${clientName ?? 'unnamed'}`, `Waits at: ${new URL(redirectUri).host}, this computer`], texts, {
    async approve() {
      const reply = await call('POST', '/api/auth/browser/approve', request);
      const { redirectTo } = (await reply.json()) as { redirectTo: string };
      goBack(redirectTo, 'Approved. You can close this page and return to your program.');
    },
    async deny() {
      const denied = new URLSearchParams({ error: 'access_denied', state });
      goBack(`${redirectUri}?${denied}`, 'Denied. The program is not signed in.');
    },
  });
}

/** What is approved stands on the page before the person decides, all of it as text. */
function askDecision(
  facts: readonly string[],
  { grants, warning }: { grants: string; warning: string },
  decide: Record<'approve' | 'deny', () => Promise<void>>,
): void {
  const approve = el('button', { type: 'submit', class: 'main' }, 'Approve');
  const deny = el('button', { type: 'button', class: 'plain' }, 'Deny');
  form.replaceChildren(
    el('p', { class: 'hint' }, ...facts.flatMap((fact) => [fact, el('br')])),
    el('p', {}, grants),
    el('p', {}, el('strong', {}, warning)),
    deny,
    approve,
  );
  form.hidden = false;
  deny.focus();
  const letRead = () => {
    approve.disabled = true;
    setTimeout(() => {
      approve.disabled = false;
    }, READING_MS);
  };
  letRead();
  addEventListener('focus', letRead);
  onSubmit(form, approve, async () => {
    const { user, workspaceId } = await openedSession();
    if (user.id !== config.userId || workspaceId !== config.workspaceId)
      throw new ApiError(409, 'SIGN_IN_CHANGED', 'This browser is signed in as another person now. Reload this page.');
    await decide.approve();
  });
  deny.addEventListener('click', () => void decide.deny().catch(say));
}

if (config.request) askAboutProgram({ ...config, request: config.request });
else askCode();
