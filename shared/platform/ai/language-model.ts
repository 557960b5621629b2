import type { LanguageModel } from 'ai';
import type { AiSettings } from './settings.ts';

const OPENAI = 'https://api.openai.com/v1';

/**
 * The language model of a deployment. Bedrock uses the permissions of the calling function. Other providers need a key;
 * without one there is no model, except for a custom server with OpenAI's protocol, which usually needs none. Only the
 * library of the configured provider is loaded.
 */
export async function languageModel(
  { provider, model, baseUrl }: AiSettings,
  key: string | undefined,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModel | undefined> {
  const place = baseUrl ? { baseURL: baseUrl } : {};
  if (provider === 'amazon-bedrock') {
    const { createAmazonBedrock } = await import('./bedrock-models.ts');
    return createAmazonBedrock({ ...place, fetch })(model);
  }
  const needsKey = provider === 'anthropic' || baseUrl === undefined;
  if (key === undefined && needsKey) return undefined;
  if (provider === 'anthropic') {
    const { createAnthropic } = await import('./anthropic-models.ts');
    return createAnthropic({ ...place, apiKey: key!, fetch })(model);
  }
  const { createOpenAICompatible } = await import('./openai-models.ts');
  return createOpenAICompatible({
    name: 'provider',
    baseURL: baseUrl ?? OPENAI,
    ...(key ? { apiKey: key } : {}),
    fetch,
  })(model);
}
