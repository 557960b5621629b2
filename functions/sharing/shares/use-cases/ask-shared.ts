import { someRows } from '../../../../shared/data/charts/latest-rows.ts';
import { type CardRows, hasRows, unknownNumbers } from '../../../../shared/domains/boards/cards/index.ts';
import type { CardRecord } from '../../../../shared/domains/boards/dashboards/index.ts';
import {
  type AiQuota,
  type LinkParts,
  type LinkReader,
  linkRows,
  type Opening,
  openSharedParts,
} from '../../../../shared/domains/sharing/shares/index.ts';
import type { AiFunction } from '../../../../shared/platform/ai/function/client.ts';
import type { AiMessage } from '../../../../shared/platform/ai/generate.ts';
import { inParallel } from '../../../../shared/platform/concurrency/in-parallel.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import {
  ASK_INSTRUCTIONS,
  type AskedCard,
  cardsMessage,
  historyMessage,
  questionMessage,
  wrongNumbersMessage,
} from '../ask-prompt.ts';
import type { AskShared, SharedAnswer } from '../schemas.ts';
import type { SharedDeps } from './read-shared.ts';

const MAX_CARDS = 8;
const MAX_ROWS = 50;
const MAX_OUTPUT_TOKENS = 800;
const MAX_CHARACTERS = 4000;
/** The gateway waits for 29 seconds. */
const BUDGET_MS = 15_000;
/** No model answers faster than this. */
const MIN_ANSWER_MS = 2_000;

export interface AskDeps extends SharedDeps {
  ai: AiFunction;
  quota: AiQuota;
}

interface Shown {
  cardId: string;
  shown: AskedCard;
}

/**
 * Answers from the rows that the link shows, and from nothing else. Throws what `openSharedParts` throws,
 * `SHARE_AI_OFF`, `SHARE_AI_SPENT`, `AI_NOT_CONFIGURED`, `AI_ANSWER_REJECTED` and `AI_UNAVAILABLE`.
 */
export async function askShared(
  deps: AskDeps,
  { message, history, ...opening }: Opening & AskShared,
): Promise<SharedAnswer> {
  const { reader, parts: shared } = await openSharedParts(deps, opening);
  if (!reader.allowAi) throw new AppError('SHARE_AI_OFF');
  const cards = await readCards(deps, reader, shared);
  const taken = await deps.quota.take(reader);
  const parts = [cardsMessage(cards.map(({ shown }) => shown)), historyMessage(history), questionMessage(message)];
  try {
    const answer = await writtenAnswer(deps, reader.workspaceId, cards, parts.join('\n'));
    return { answer, cardIds: cards.map(({ cardId }) => cardId), remainingThisHour: taken.remaining };
  } catch (error) {
    if (error instanceof AppError && NOT_CALLED.includes(error.code)) await taken.giveBack();
    throw error;
  }
}

/** The errors of questions that never reached the provider. */
const NOT_CALLED: readonly string[] = ['AI_NOT_CONFIGURED', 'SERVICE_BUSY'];

/** Cards that the link does not show are left out. */
async function readCards(deps: AskDeps, reader: LinkReader, parts: LinkParts): Promise<Shown[]> {
  const found: (Shown | undefined)[] = [];
  await inParallel(MAX_CARDS, [...parts.cards.filter(hasRows).slice(0, MAX_CARDS).entries()], async ([index, card]) => {
    const rows = await linkRows(deps, parts, reader, { cardId: card.id, filters: [] }).catch((error: unknown) => {
      if (error instanceof AppError) return undefined;
      throw error;
    });
    found[index] = rows && { cardId: card.id, shown: askedCard(card, rows) };
  });
  return found.filter((each) => each !== undefined);
}

function askedCard(
  { title, description, chartSpec }: CardRecord,
  { columns, rowsJson, truncated }: CardRows,
): AskedCard {
  const rows = JSON.parse(rowsJson) as unknown[][];
  return {
    title,
    description,
    columns: columns.map(({ name, type, role }) => ({ name, type, role })),
    rows: someRows(chartSpec, rows, MAX_ROWS),
    truncated: truncated || rows.length > MAX_ROWS,
  };
}

/** Asks the model once to correct numbers that are not in the rows. */
async function writtenAnswer(
  { ai }: AskDeps,
  workspaceId: string,
  cards: readonly Shown[],
  asked: string,
): Promise<string> {
  const until = performance.now() + BUDGET_MS;
  const left = () => Math.round(until - performance.now());
  const data = {
    columns: cards.flatMap(({ shown }) => shown.columns),
    rows: cards.flatMap(({ shown }) => shown.rows),
  };
  const messages: AiMessage[] = [{ role: 'user', content: asked }];
  for (let tries = 1; ; tries += 1) {
    const question = { messages, maxOutputTokens: MAX_OUTPUT_TOKENS, timeoutMs: left() };
    const reply = await ai.ask({ ...question, instructions: ASK_INSTRUCTIONS, workspaceId, purpose: 'ask-shared' });
    const text = reply.text.trim();
    const wrong = unknownNumbers(text, data);
    if (wrong.length === 0 && text !== '' && text.length <= MAX_CHARACTERS) return text;
    if (tries > 1 || left() < MIN_ANSWER_MS) {
      const detail = 'The AI provider returned an answer with numbers that are not in the rows.';
      throw new AppError('AI_ANSWER_REJECTED', { detail });
    }
    messages.push({ role: 'assistant', content: text }, { role: 'user', content: wrongNumbersMessage(wrong) });
  }
}
