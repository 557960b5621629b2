import { expect, it, onTestFinished } from 'vitest';
import { type AiQuestion, AiUnavailable, generate } from '../../../../shared/platform/ai/generate.ts';
import { languageModel } from '../../../../shared/platform/ai/language-model.ts';
import { type AiSettings, aiSettings } from '../../../../shared/platform/ai/settings.ts';
import { createAddressGuard } from '../../../../shared/platform/net/address-guard.ts';
import { guardedFetch } from '../../../../shared/platform/net/guarded-fetch.ts';
import { type AiAnswer, AiProvider } from '../../../support/ai-provider.ts';

const LOOPBACK = ['127.0.0.0/8'];
const KEY = 'sk-secret';

async function scripted(...answers: AiAnswer[]): Promise<AiProvider> {
  const provider = await AiProvider.open();
  onTestFinished(() => provider.close());
  provider.script('the wish', answers);
  return provider;
}

/** Asks as the deployment's function does. */
async function ask(
  settings: Partial<AiSettings>,
  question: Partial<AiQuestion> = {},
  { cidrs = LOOPBACK, key = KEY }: { cidrs?: string[]; key?: string | null } = {},
) {
  const guard = createAddressGuard({ allowedPrivateCidrs: cidrs });
  const limits = { schemes: ['https', 'http'] as const, timeoutMs: 5_000, maxBytes: 64 * 1024 };
  const model = await languageModel(
    { provider: 'openai-compatible', model: 'small', ...settings },
    key ?? undefined,
    guardedFetch(guard, limits),
  );
  const asked = { instructions: 'the rules', messages: [{ role: 'user', content: 'the wish' }] as const };
  return generate(model!, { ...asked, maxOutputTokens: 50, timeoutMs: 5_000, ...question });
}

it.each(['openai-compatible', 'anthropic'] as const)(
  'asks %s with rules, wish and key, and gives it no tools',
  async (provider) => {
    const { url, asked } = await scripted({ text: 'an answer' }).then((open) => ({
      url: open.url,
      asked: () => open.asked('the wish'),
    }));
    const answer = await ask({ provider, baseUrl: url });
    expect(answer).toEqual({ text: 'an answer', inputTokens: 11, outputTokens: 7 });
    const [question, ...more] = asked();
    expect(more).toEqual([]);
    expect(question!.body).toMatchObject({ model: 'small', max_tokens: 50 });
    expect(question!.body.tools).toBeUndefined();
    expect(JSON.stringify(question!.body)).toContain('the rules');
    expect(question!.headers[provider === 'anthropic' ? 'x-api-key' : 'authorization']).toContain(KEY);
  },
);

it('calls the configured server without a key, and no other', async () => {
  const provider = await scripted({ text: 'an answer' });
  expect(await ask({ baseUrl: provider.url }, {}, { key: null })).toMatchObject({ text: 'an answer' });
  expect(provider.asked('the wish')[0]!.headers.authorization).toBeUndefined();
  for (const settings of [{}, { provider: 'anthropic', baseUrl: provider.url }] as const) {
    const about = { provider: 'openai-compatible', model: 'small', ...settings } as const;
    expect(await languageModel(about, undefined, fetch)).toBeUndefined();
  }
});

it('signs what it asks Bedrock with the rights of the function, in its region', async () => {
  const provider = await scripted({ status: 400, body: '{"message":"no"}' });
  const place = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 's',
    AWS_SESSION_TOKEN: 't',
  };
  const before = { ...process.env };
  Object.assign(process.env, place);
  onTestFinished(() => {
    for (const name of Object.keys(place)) delete process.env[name];
    Object.assign(process.env, before);
  });
  const asking = ask({ provider: 'amazon-bedrock', model: 'eu.some.model-v1:0', baseUrl: provider.url.slice(0, -3) });
  await expect(asking).rejects.toThrow('it answered 400');
  const [question] = provider.asked('the wish');
  expect(question!.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=id\/\d+\/eu-central-1\/bedrock\//);
  expect(question!.headers['x-amz-security-token']).toBe('t');
});

it('asks a busy provider once more, and no third time', async () => {
  const once = await scripted({ status: 429, headers: { 'retry-after-ms': '1' } }, { text: 'now' });
  expect((await ask({ baseUrl: once.url })).text).toBe('now');
  const never = await scripted({ status: 500, headers: { 'retry-after': '0' }, body: `no, ${KEY}` });
  await expect(ask({ baseUrl: never.url })).rejects.toThrow(new AiUnavailable('it answered 500'));
  expect(never.asked('the wish')).toHaveLength(2);
});

it.each<[string, AiAnswer, string]>([
  ['refuses the key', { status: 401, body: `{"error":{"message":"${KEY} is wrong"}}` }, 'it answered 401'],
  ['answers something else', { status: 200, body: '<html>' }, 'its answer cannot be read'],
  ['answers JSON of another shape', { status: 200, body: '{"choices":[]}' }, 'its answer cannot be read'],
  ['answers without end', { status: 200, body: `"${'x'.repeat(70_000)}"` }, 'it cannot be called (RESULT_TOO_LARGE)'],
  ['leads elsewhere', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'it answered 302'],
])('is without an answer when the provider %s', async (_title, answer, message) => {
  const provider = await scripted(answer);
  const failure = await ask({ baseUrl: provider.url }).catch((error: Error) => error);
  expect(failure).toEqual(new AiUnavailable(message));
  // Neither the key nor what the provider sent goes anywhere.
  expect((failure as Error).cause).toBeUndefined();
});

it('waits for an answer until its time limit', async () => {
  const provider = await scripted('nothing');
  await expect(ask({ baseUrl: provider.url }, { timeoutMs: 150 })).rejects.toThrow('did not answer within 150 ms');
});

it('dials no address that the deployment has not opened', async () => {
  const provider = await scripted({ text: 'an answer' });
  await expect(ask({ baseUrl: provider.url }, {}, { cidrs: [] })).rejects.toThrow(
    'it cannot be called (ADDRESS_BLOCKED)',
  );
  await expect(ask({ baseUrl: 'http://127.0.0.1:1025/v1' })).rejects.toThrow('it cannot be called (CONNECTION_FAILED)');
});

it('has no model without a provider, or without the key that it needs', async () => {
  expect(aiSettings({})).toBeUndefined();
  expect(aiSettings({ AI_PROVIDER: 'anthropic' })).toBeUndefined();
  const settings = aiSettings({ AI_PROVIDER: 'anthropic', AI_MODEL: 'm', AI_BASE_URL: '' })!;
  expect(settings).toEqual({ provider: 'anthropic', model: 'm' });
  expect(await languageModel(settings, undefined, fetch)).toBeUndefined();
  expect(await languageModel({ provider: 'amazon-bedrock', model: 'm' }, undefined, fetch)).toBeDefined();
});
