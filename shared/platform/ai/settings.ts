/** The kinds of providers that a deployment can have. Most services and servers of models speak as OpenAI does. */
export const AI_PROVIDERS = ['openai-compatible', 'anthropic', 'amazon-bedrock'] as const;
export type AiProvider = (typeof AI_PROVIDERS)[number];

/** Which model answers, without the key. */
export interface AiSettings {
  provider: AiProvider;
  model: string;
  /** Where the provider is, such as `https://api.example.com/v1`; the provider's own address when absent. */
  baseUrl?: string;
}

/** The deployment's provider as its stack tells it; undefined when it has none. */
export function aiSettings(variables: NodeJS.ProcessEnv = process.env): AiSettings | undefined {
  const { AI_PROVIDER, AI_MODEL, AI_BASE_URL } = variables;
  const provider = AI_PROVIDERS.find((each) => each === AI_PROVIDER);
  if (!provider || !AI_MODEL) return undefined;
  return { provider, model: AI_MODEL, ...(AI_BASE_URL ? { baseUrl: AI_BASE_URL } : {}) };
}
