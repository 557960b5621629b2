import type { EmbeddingModel, LanguageModel } from 'ai';
import type { AiSettings } from './settings.ts';

const OPENAI = 'https://api.openai.com/v1';

/**
 * The language model of a deployment. Bedrock uses the permissions of the calling function. Other providers need a key;
 * without one there is no model, except for a custom server with OpenAI's protocol, which usually needs none. Only the
 * library of the configured provider is loaded.
 */
export async function languageModel(
  settings: AiSettings,
  key: string | undefined,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModel | undefined> {
  const { provider, model, baseUrl } = settings;
  if (provider === 'amazon-bedrock') return (await openBedrock(settings, fetch))(model);
  if (provider === 'openai-compatible') return (await openCompatible(settings, key, fetch))?.(model);
  if (key === undefined) return undefined;
  const { createAnthropic } = await import('./anthropic-models.ts');
  return createAnthropic({ ...placeOf(baseUrl), apiKey: key, fetch })(model);
}

/** The embedding model of a deployment, under the same conditions. Anthropic has none. */
export async function embeddingModel(
  settings: AiSettings,
  key: string | undefined,
  fetch: typeof globalThis.fetch,
): Promise<EmbeddingModel | undefined> {
  const { provider, embeddingModel: model } = settings;
  if (model === undefined || provider === 'anthropic') return undefined;
  if (provider === 'amazon-bedrock') return (await openBedrock(settings, fetch)).embeddingModel(model);
  return (await openCompatible(settings, key, fetch))?.embeddingModel(model);
}

const placeOf = (baseUrl: string | undefined) => (baseUrl ? { baseURL: baseUrl } : {});

async function openBedrock({ baseUrl }: AiSettings, fetch: typeof globalThis.fetch) {
  const { createAmazonBedrock } = await import('./bedrock-models.ts');
  return createAmazonBedrock({ ...placeOf(baseUrl), fetch });
}

async function openCompatible({ baseUrl }: AiSettings, key: string | undefined, fetch: typeof globalThis.fetch) {
  if (key === undefined && baseUrl === undefined) return undefined;
  const { createOpenAICompatible } = await import('./openai-models.ts');
  return createOpenAICompatible({
    name: 'provider',
    baseURL: baseUrl ?? OPENAI,
    ...(key ? { apiKey: key } : {}),
    fetch,
  });
}
