import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { embed } from '../../../../shared/platform/ai/embed.ts';
import type { AiReply, AiRequest, EmbedReply, EmbedRequest } from '../../../../shared/platform/ai/function/protocol.ts';
import { AiUnavailable, generate } from '../../../../shared/platform/ai/generate.ts';
import { embeddingModel, languageModel } from '../../../../shared/platform/ai/language-model.ts';
import { aiSettings, embeddingModelName } from '../../../../shared/platform/ai/settings.ts';
import { environment } from '../../../../shared/platform/http/open-group.ts';
import { guardFromEnvironment, webhookSchemes } from '../../../../shared/platform/net/guard-from-environment.ts';
import { guardedFetch } from '../../../../shared/platform/net/guarded-fetch.ts';
import { createLogger } from '../../../../shared/platform/observability/logger.ts';

const MAX_RESPONSE_BYTES = 1024 * 1024;

const log = createLogger('ai');
const ssm = new SSMClient({});
const guard = guardFromEnvironment();
const settings = aiSettings();
const keyParameter = environment('AI_KEY_PARAMETER');

/** Calls the deployment's models. Every answered call is logged with its usage. */
export async function handler(request: AiRequest | EmbedRequest): Promise<AiReply | EmbedReply> {
  const { workspaceId, purpose, timeoutMs } = request;
  const limits = { schemes: webhookSchemes(), timeoutMs, maxBytes: MAX_RESPONSE_BYTES };
  const fetch = guardedFetch(guard, limits);
  const about = { workspaceId, purpose, provider: settings?.provider };
  try {
    const reply = 'texts' in request ? await embedTexts(request, fetch, about) : await answer(request, fetch, about);
    return reply ?? { ok: false, code: 'AI_NOT_CONFIGURED', message: '' };
  } catch (error) {
    if (!(error instanceof AiUnavailable)) throw error;
    log.warn('unavailable', { ...about, reason: error.message });
    return { ok: false, code: 'AI_UNAVAILABLE', message: error.message };
  }
}

type Fetch = typeof globalThis.fetch;

async function answer(request: AiRequest, fetch: Fetch, about: object): Promise<AiReply | undefined> {
  const model = settings && (await languageModel(settings, await readKey(), fetch));
  if (!model) return undefined;
  const answered = await generate(model, request);
  const { inputTokens, outputTokens } = answered;
  log.info('answered', { ...about, model: settings.model, inputTokens, outputTokens });
  return { ok: true, answer: answered };
}

async function embedTexts(request: EmbedRequest, fetch: Fetch, about: object): Promise<EmbedReply | undefined> {
  const name = settings && embeddingModelName(settings);
  const model = name && (await embeddingModel(settings, await readKey(), fetch));
  if (!model) return undefined;
  const { vectors, inputTokens } = await embed(model, request);
  log.info('embedded', { ...about, model: settings.embeddingModel, texts: vectors.length, inputTokens });
  return { ok: true, model: name, vectors: vectors.map((vector) => Buffer.from(vector.buffer).toString('base64')) };
}

/** Read for each request, which takes seconds anyway, so that a replaced or removed key takes effect at once. */
async function readKey(): Promise<string | undefined> {
  if (settings?.provider === 'amazon-bedrock') return undefined;
  try {
    const reply = await ssm.send(new GetParameterCommand({ Name: keyParameter, WithDecryption: true }));
    return reply.Parameter?.Value;
  } catch (error) {
    if (error instanceof ParameterNotFound) return undefined;
    throw error;
  }
}
