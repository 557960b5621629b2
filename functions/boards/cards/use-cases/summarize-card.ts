import { someRows } from '../../../../shared/data/charts/latest-rows.ts';
import {
  type CardDeps,
  cardOf,
  cardTimezone,
  hashOf,
  namedCard,
  queryOf,
  subjectOf,
  unknownNumbers,
} from '../../../../shared/domains/boards/cards/index.ts';
import { type ChartRows, protectedReads } from '../../../../shared/domains/boards/charts/index.ts';
import {
  assertRemovable,
  type CardRecord,
  type EditDeps,
  editedDashboard,
  editParts,
  type NamedDashboard,
  partsOf,
  replacedIn,
  touchedPart,
} from '../../../../shared/domains/boards/dashboards/index.ts';
import type { AiFunction } from '../../../../shared/platform/ai/function/client.ts';
import type { AiMessage } from '../../../../shared/platform/ai/generate.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import type { SummarizedCard } from '../schemas.ts';
import { requestMessage, SUMMARY_INSTRUCTIONS, type SummaryRequest, wrongNumbersMessage } from '../summary-prompt.ts';
import { rowsToUse } from './read-rows.ts';

const MAX_ROWS = 50;
const MAX_OUTPUT_TOKENS = 600;
const MAX_CHARACTERS = 2000;
/** The gateway waits for 29 seconds. */
const READ_MS = 10_000;
const BUDGET_MS = 15_000;
/** No model answers faster than this. */
const MIN_ANSWER_MS = 2_000;

export type SummaryDeps = CardDeps &
  EditDeps & {
    ai: AiFunction;
    /** The name of the language model, for the readers of a summary. */
    aiModel: string;
  };

interface Named extends NamedDashboard {
  cardId: string;
}

/**
 * Writes a summary of the rows and stores it with the card. Throws `AI_ROWS_PROTECTED` if anyone may be kept from the
 * rows, which neither the provider nor all readers may get, `CARD_UNREADABLE`, `CARD_WITHOUT_ROWS`,
 * `AI_NOT_CONFIGURED`, `AI_UNAVAILABLE`, and `AI_ANSWER_REJECTED` if the summary has numbers that are not in the rows.
 */
export async function summarizeCard(deps: SummaryDeps, { cardId, ...named }: Named): Promise<SummarizedCard> {
  const { principal } = named;
  const state = await editedDashboard(deps, named);
  const card = cardOf(state, cardId);
  const timezone = cardTimezone(card, { timezone: undefined, dashboard: state.body.timezone });
  const query = queryOf(card);
  const rows = await rowsToUse(deps, { principal, query, filters: [], timezone, timeoutMs: READ_MS });
  const tables = await protectedReads(deps, principal.workspaceId, query.source);
  if (tables.length > 0) {
    const message = `${namedCard(card)} reads the protected table${tables.length > 1 ? 's' : ''} ${tables.join(', ')}`;
    throw new AppError('AI_ROWS_PROTECTED', { errors: [{ pointer: '', code: 'ROW_RIGHTS', message }] });
  }
  const subject = await subjectOf(deps, principal.workspaceId, query);
  const text = await writtenSummary(deps, principal.workspaceId, requestOf(card, rows));
  const generatedAt = deps.now().toISOString();
  const aiSummary = { text, generatedAt, model: deps.aiModel, dataHash: hashOf(rows), subject };
  await changeCard(deps, { ...named, cardId }, (found) => ({ ...found, aiSummary }));
  return { cardId, aiSummary: { text, generatedAt, model: deps.aiModel, isStale: false } };
}

/** Throws `DASHBOARD_CARD_NOT_FOUND`. A card without a summary stays as it is. */
export async function clearSummary(deps: EditDeps, named: Named): Promise<void> {
  await changeCard(deps, named, ({ aiSummary, ...card }) => (aiSummary ? card : undefined));
}

function requestOf(
  { title, description, chartSpec }: CardRecord,
  { columns, rowsJson, truncated }: ChartRows,
): SummaryRequest {
  const rows = JSON.parse(rowsJson) as unknown[][];
  const shown = columns.map(({ name, type, role }) => ({ name, type, role }));
  return {
    title,
    description,
    columns: shown,
    rows: someRows(chartSpec, rows, MAX_ROWS),
    truncated: truncated || rows.length > MAX_ROWS,
  };
}

/** Asks the model once to correct numbers that are not in the rows. */
async function writtenSummary({ ai }: SummaryDeps, workspaceId: string, request: SummaryRequest): Promise<string> {
  const until = performance.now() + BUDGET_MS;
  const left = () => Math.round(until - performance.now());
  const messages: AiMessage[] = [{ role: 'user', content: requestMessage(request) }];
  for (;;) {
    const question = { messages, maxOutputTokens: MAX_OUTPUT_TOKENS, timeoutMs: left() };
    const answer = await ai.ask({
      ...question,
      instructions: SUMMARY_INSTRUCTIONS,
      workspaceId,
      purpose: 'summarize-card',
    });
    const text = answer.text.trim();
    const wrong = unknownNumbers(text, request);
    if (wrong.length === 0 && text !== '' && text.length <= MAX_CHARACTERS) return text;
    if (messages.length > 1 || left() < MIN_ANSWER_MS) {
      const detail = 'The AI provider returned a summary with numbers that are not in the rows of the card.';
      throw new AppError('AI_ANSWER_REJECTED', { detail });
    }
    messages.push({ role: 'assistant', content: text }, { role: 'user', content: wrongNumbersMessage(wrong) });
  }
}

/** Changes the card, unless the rule has nothing to change. */
function changeCard(
  deps: EditDeps,
  { cardId, ...named }: Named,
  rule: (card: CardRecord) => CardRecord | undefined,
): Promise<unknown> {
  return editParts(deps, named, (parts, act) => {
    const card = cardOf(parts, cardId);
    assertRemovable(card);
    const next = rule(card);
    return next ? { ...partsOf(parts), cards: replacedIn(parts.cards, touchedPart(next, act)) } : parts;
  });
}
