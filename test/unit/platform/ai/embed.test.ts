import { expect, it, onTestFinished } from 'vitest';
import { embed } from '../../../../shared/platform/ai/embed.ts';
import { AiUnavailable } from '../../../../shared/platform/ai/generate.ts';
import { embeddingModel } from '../../../../shared/platform/ai/language-model.ts';
import { type AiSettings, aiSettings, embeddingModelName } from '../../../../shared/platform/ai/settings.ts';
import { type AiAnswer, AiProvider } from '../../../support/ai-provider.ts';
import { embedText } from '../../../support/embedder.ts';

async function scripted(...answers: AiAnswer[]): Promise<AiProvider> {
  const provider = await AiProvider.open();
  onTestFinished(() => provider.close());
  provider.script('the words', answers);
  return provider;
}

const OPENAI: AiSettings = { provider: 'openai-compatible', model: 'small', embeddingModel: 'vectors' };

async function vectorsOf(settings: Partial<AiSettings>, texts = ['the words'], maxRetries = 0) {
  const model = await embeddingModel({ ...OPENAI, ...settings }, 'sk-secret', fetch);
  return embed(model!, { texts, timeoutMs: 5_000, maxRetries });
}

it('returns a vector of 256 bytes for each text, in the same direction', async () => {
  const { url, asked } = await scripted({ vectors: 'of the texts' }).then((open) => ({
    url: open.url,
    asked: () => open.asked('the words'),
  }));
  const { vectors, inputTokens } = await vectorsOf({ baseUrl: url }, ['the words', 'others']);
  expect(inputTokens).toBe(10);
  for (const [index, text] of ['the words', 'others'].entries()) {
    const members = embedText(text);
    const largest = Math.max(...members.map(Math.abs));
    expect([...vectors[index]!]).toEqual(members.map((member) => expect.closeTo((127 * member) / largest, -0.31)));
  }
  expect(asked()).toMatchObject([{ body: { model: 'vectors', input: ['the words', 'others'], dimensions: 256 } }]);
});

it.each<[string, AiAnswer, string]>([
  ['vectors of another length', { vectors: [[1, 2]] }, 'its vectors have 2 dimensions instead of 256'],
  ['another number of vectors', { vectors: [] }, 'its answer cannot be read'],
  ['zeros', { vectors: [Array.from({ length: 256 }, () => 0)] }, 'it returned a vector without direction'],
  ['an error', { status: 401, body: '{"error":{"message":"sk-secret"}}' }, 'it answered 401'],
  ['something else', { status: 200, body: '<html>' }, 'its answer cannot be read'],
])('is unavailable when the provider returns %s', async (_title, answer, message) => {
  const provider = await scripted(answer);
  const failure = await vectorsOf({ baseUrl: provider.url }).catch((error: Error) => error);
  expect(failure).toEqual(new AiUnavailable(message));
  expect((failure as Error).cause).toBeUndefined();
});

it('repeats a failed call as often as the caller wants', async () => {
  const provider = await scripted({ status: 503, headers: { 'retry-after-ms': '1' } }, { vectors: 'of the texts' });
  expect((await vectorsOf({ baseUrl: provider.url }, ['the words'], 1)).vectors).toHaveLength(1);
  const failing = await scripted({ status: 503 });
  await expect(vectorsOf({ baseUrl: failing.url })).rejects.toThrow('it answered 503');
  expect(failing.asked('the words')).toHaveLength(1);
});

it('asks Bedrock for as many dimensions', async () => {
  const provider = await scripted({
    status: 200,
    body: JSON.stringify({ embedding: embedText('the words'), inputTextTokenCount: 3 }),
  });
  const place = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 's' };
  const before = Object.fromEntries(Object.keys(place).map((name) => [name, process.env[name]]));
  Object.assign(process.env, place);
  onTestFinished(() => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  const titan = { provider: 'amazon-bedrock', embeddingModel: 'amazon.titan-embed-text-v2:0' } as const;
  const { vectors, inputTokens } = await vectorsOf({ ...titan, baseUrl: provider.url.slice(0, -3) });
  expect([vectors.length, inputTokens]).toEqual([1, 3]);
  expect(provider.asked('the words')[0]!.body).toMatchObject({ inputText: 'the words', dimensions: 256 });
});

it('has no embedding model unless one is set, with the key that it needs', async () => {
  expect(await embeddingModel({ provider: 'openai-compatible', model: 'm' }, 'key', fetch)).toBeUndefined();
  expect(await embeddingModel(OPENAI, undefined, fetch)).toBeUndefined();
  expect(await embeddingModel({ ...OPENAI, provider: 'anthropic' }, 'key', fetch)).toBeUndefined();
  expect(await embeddingModel({ ...OPENAI, baseUrl: 'https://own.example.com' }, undefined, fetch)).toBeDefined();
  const settings = aiSettings({ AI_PROVIDER: 'openai-compatible', AI_MODEL: 'm', AI_EMBEDDING_MODEL: 'v' })!;
  expect(settings).toEqual({ provider: 'openai-compatible', model: 'm', embeddingModel: 'v' });
  expect(embeddingModelName({ provider: 'anthropic', model: 'm' })).toBeUndefined();
  expect(embeddingModelName(settings)).not.toBe(embeddingModelName({ ...settings, baseUrl: 'https://b.example.com' }));
});
