import type { AiAnswer, AiQuestion } from '../generate.ts';

/**
 * Request and reply of the function that calls the deployment's AI provider. Only this function has the key and the
 * permission to call models, and it has no other permissions.
 */
export interface AiRequest extends AiQuestion {
  /** Logged together with the usage. */
  workspaceId: string;
  purpose: string;
}

export type AiReply =
  | { ok: true; answer: AiAnswer }
  | { ok: false; code: 'AI_NOT_CONFIGURED' | 'AI_UNAVAILABLE'; message: string };
