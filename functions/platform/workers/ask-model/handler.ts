import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import type { AiReply, AiRequest } from '../../../../shared/platform/ai/function/protocol.ts';
import { AiUnavailable, generate } from '../../../../shared/platform/ai/generate.ts';
import { languageModel } from '../../../../shared/platform/ai/language-model.ts';
import { aiSettings } from '../../../../shared/platform/ai/settings.ts';
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

/** Calls the deployment's model. Every answered call is logged with its usage. */
export async function handler(request: AiRequest): Promise<AiReply> {
  const { workspaceId, purpose, ...question } = request;
  const limits = { schemes: webhookSchemes(), timeoutMs: question.timeoutMs, maxBytes: MAX_RESPONSE_BYTES };
  const model = settings && (await languageModel(settings, await readKey(), guardedFetch(guard, limits)));
  if (!model) return { ok: false, code: 'AI_NOT_CONFIGURED', message: '' };
  const about = { workspaceId, purpose, provider: settings.provider, model: settings.model };
  try {
    const answer = await generate(model, question);
    const { inputTokens, outputTokens } = answer;
    log.info('answered', { ...about, inputTokens, outputTokens });
    return { ok: true, answer };
  } catch (error) {
    if (!(error instanceof AiUnavailable)) throw error;
    log.warn('unavailable', { ...about, reason: error.message });
    return { ok: false, code: 'AI_UNAVAILABLE', message: error.message };
  }
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
