import {
  diagnoseMeasure,
  findPart,
  type ModelDefinition,
  validSuggestions,
} from '../../../../shared/domains/semantics/models/index.ts';
import type { AiFunction } from '../../../../shared/platform/ai/function/client.ts';
import type { AiMessage } from '../../../../shared/platform/ai/generate.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { ModelDeps } from '../use-cases/context.ts';
import {
  diagnosticsMessage,
  MEASURE_INSTRUCTIONS,
  namesOf,
  RELATIONSHIP_INSTRUCTIONS,
  readDraft,
  readPairs,
  requestMessage,
  UNREADABLE_MESSAGE,
} from './prompts.ts';
import type { MeasureCopilot, MeasureDraft, RelationshipSuggestions } from './schemas.ts';

const MAX_REPAIRS = 2;
const MAX_OUTPUT_TOKENS = 4000;
/** The gateway waits for 29 seconds. */
const BUDGET_MS = 25_000;
/** No model answers faster than this. */
const MIN_ANSWER_MS = 2_000;

interface Deps extends Pick<ModelDeps, 'definitions'> {
  ai: AiFunction;
}

/**
 * Drafts an expression and sends its diagnostics back at most twice. Throws `AI_NOT_CONFIGURED`, and `AI_UNAVAILABLE`
 * if no answer can be read.
 */
export async function suggestMeasure(
  deps: Deps,
  command: MeasureCopilot & { workspaceId: string; modelId: string },
): Promise<MeasureDraft> {
  const { workspaceId, modelId, prompt, currentExpression, name, measureId } = command;
  const definition = await deps.definitions.read({ workspaceId, modelId });
  if (measureId !== undefined) findPart(definition, 'measures', measureId);
  const until = performance.now() + BUDGET_MS;
  const left = () => Math.round(until - performance.now());
  const request = { prompt, name, currentExpression, ...namesOf(definition) };
  const messages: AiMessage[] = [{ role: 'user', content: requestMessage(request) }];
  for (let rounds = 0; ; rounds += 1) {
    const question = {
      instructions: MEASURE_INSTRUCTIONS,
      messages,
      maxOutputTokens: MAX_OUTPUT_TOKENS,
      timeoutMs: left(),
    };
    const { text } = await deps.ai.ask({ ...question, workspaceId, purpose: 'suggest-measure' });
    const isLast = rounds === MAX_REPAIRS || left() < MIN_ANSWER_MS;
    const draft = readDraft(text);
    if (!draft && isLast) throw new AppError('AI_UNAVAILABLE');
    if (draft) {
      const checked = checkedDraft(definition, draft, { measureId, rounds });
      // Without an expression the model has said why there can be none.
      if (checked.ok || isLast || draft.expression === '') return checked;
    }
    messages.push(
      { role: 'assistant', content: text },
      {
        role: 'user',
        content: draft ? diagnosticsMessage(diagnosticsOf(definition, draft, measureId)) : UNREADABLE_MESSAGE,
      },
    );
  }
}

const diagnosticsOf = (definition: ModelDefinition, { expression }: { expression: string }, id: string | undefined) =>
  diagnoseMeasure(definition, { text: expression, id }).diagnostics;

function checkedDraft(
  definition: ModelDefinition,
  draft: { expression: string; explanation: string },
  { measureId, rounds }: { measureId: string | undefined; rounds: number },
): MeasureDraft {
  const { expression, explanation } = draft;
  const diagnostics = diagnosticsOf(definition, draft, measureId);
  if (diagnostics.length > 0) return { ok: false, explanation, diagnostics, rounds };
  return { ok: true, expression, explanation, diagnostics, rounds };
}

/** Throws `AI_NOT_CONFIGURED`, and `AI_UNAVAILABLE` if the answer cannot be read. */
export async function suggestRelationships(
  deps: Deps,
  { workspaceId, id: modelId }: { workspaceId: string; id: string },
): Promise<RelationshipSuggestions> {
  const definition = await deps.definitions.read({ workspaceId, modelId });
  const { tables } = namesOf(definition);
  const { text } = await deps.ai.ask({
    instructions: RELATIONSHIP_INSTRUCTIONS,
    messages: [{ role: 'user', content: requestMessage({ tables }) }],
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    timeoutMs: BUDGET_MS,
    workspaceId,
    purpose: 'suggest-relationships',
  });
  const pairs = readPairs(text);
  if (!pairs) throw new AppError('AI_UNAVAILABLE');
  const items = validSuggestions(definition, pairs);
  return { items, total: items.length };
}
