import type { Texts } from '../embed.ts';
import type { AiAnswer, AiQuestion } from '../generate.ts';

/** Logged together with the usage. */
interface Asking {
  workspaceId: string;
  purpose: string;
}

/**
 * Request and reply of the function that calls the deployment's AI provider. Only this function has the key and the
 * permission to call models, and it has no other permissions.
 */
export interface AiRequest extends AiQuestion, Asking {}

/** Texts for the embedding model. */
export interface EmbedRequest extends Texts, Asking {}

type Refusal = { ok: false; code: 'AI_NOT_CONFIGURED' | 'AI_UNAVAILABLE'; message: string };

export type AiReply = { ok: true; answer: AiAnswer } | Refusal;

/** The vectors of the texts, in base64, and the name of the model (`embeddingModelName`). */
export type EmbedReply = { ok: true; model: string; vectors: string[] } | Refusal;
