/** The supported kinds of providers. Most services and model servers use OpenAI's protocol. */
export const AI_PROVIDERS = ['openai-compatible', 'anthropic', 'amazon-bedrock'] as const;
export type AiProvider = (typeof AI_PROVIDERS)[number];

/** The configured model, without the key. */
export interface AiSettings {
  provider: AiProvider;
  model: string;
  /** The model that turns texts into vectors, for searching by meaning; none when absent. */
  embeddingModel?: string;
  /** The URL of the provider, such as `https://api.example.com/v1`; the provider's default when absent. */
  baseUrl?: string;
}

/** Reads the deployment's provider from the environment; undefined when it has none. */
export function aiSettings(variables: NodeJS.ProcessEnv = process.env): AiSettings | undefined {
  const { AI_PROVIDER, AI_MODEL, AI_EMBEDDING_MODEL, AI_BASE_URL } = variables;
  const provider = AI_PROVIDERS.find((each) => each === AI_PROVIDER);
  if (!provider || !AI_MODEL) return undefined;
  return {
    provider,
    model: AI_MODEL,
    ...(AI_EMBEDDING_MODEL ? { embeddingModel: AI_EMBEDDING_MODEL } : {}),
    ...(AI_BASE_URL ? { baseUrl: AI_BASE_URL } : {}),
  };
}

/** Names the embedding model in stored vectors, which are comparable only with those of the same one. */
export function embeddingModelName({ provider, embeddingModel, baseUrl }: AiSettings): string | undefined {
  return embeddingModel && [provider, embeddingModel, baseUrl ?? ''].join(' ');
}
