import type { LanguageModel } from 'ai';
import type { AiSettings } from './settings.ts';

const OPENAI = 'https://api.openai.com/v1';

/**
 * The model of a deployment. Bedrock takes the rights of the function that calls it; the others need a key, and without
 * it there is no model, unless it is a server of one's own that speaks as OpenAI does: most of those know no keys. Of the
 * providers' libraries only the one in question is loaded.
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
