import type { AiAnswer, AiQuestion } from '../generate.ts';

/**
 * What the function that speaks with the deployment's AI provider is asked and answers. It alone holds the key and the
 * right to call models, and it has no other rights.
 */
export interface AiRequest extends AiQuestion {
  /** For whom and what for: noted with what was used. */
  workspaceId: string;
  purpose: string;
}

export type AiReply =
  | { ok: true; answer: AiAnswer }
  | { ok: false; code: 'AI_NOT_CONFIGURED' | 'AI_UNAVAILABLE'; message: string };
