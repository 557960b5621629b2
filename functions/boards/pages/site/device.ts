import { byId, el } from '../../browser/dom.ts';
import { call } from './api.ts';
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
    askDecision((await reply.json()) as DeviceRequest);
  });
}

/** What is approved stands on the page before the person decides, all of it as text. */
function askDecision(request: DeviceRequest): void {
  const { userCode, clientName, sourceIp, userAgent, isSameNetwork, requestedAt, grants, warning } = request;
  hint.textContent = `Does your program show the code ${userCode}?`;
  const place = isSameNetwork ? `${sourceIp}, your own address` : `${sourceIp}, which is not your address`;
  const facts = [
    `Program: ${clientName ?? 'unnamed'}`,
    `Asks from: ${place}`,
    `User agent: ${userAgent ?? 'none'}`,
    `Started: ${new Date(requestedAt).toLocaleString()}`,
  ].flatMap((fact) => [fact, el('br')]);
  const approve = el('button', { type: 'submit', class: 'main' }, 'Approve');
  const deny = el('button', { type: 'button', class: 'plain' }, 'Deny');
  form.replaceChildren(
    el('p', { class: 'hint' }, ...facts),
    el('p', {}, grants),
    el('p', {}, el('strong', {}, warning)),
    deny,
    approve,
  );
  deny.focus();
  const decide = async (decision: 'approve' | 'deny', done: string) => {
    await call('POST', `/api/auth/device/${decision}`, { userCode });
    hint.textContent = done;
    form.hidden = true;
  };
  onSubmit(form, approve, () => decide('approve', 'Approved. You can close this page and return to your program.'));
  deny.addEventListener('click', () => void decide('deny', 'Denied. The program is not signed in.').catch(say));
}

askCode();
