import { inlineValuesOf, plainText } from '../../../../shared/data/rich-text/index.ts';
import { numbersBeyond } from '../../../../shared/domains/boards/cards/index.ts';
import {
  actedOn,
  isHidden,
  type NamedStory,
  quotesProtected,
  type Section,
  type SectionAi,
  type StoryState,
  sectionOf,
  storyPlaceOf,
} from '../../../../shared/domains/stories/stories/index.ts';
import type { AiFunction } from '../../../../shared/platform/ai/function/client.ts';
import { sealed } from '../../../../shared/platform/ai/messages.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError, type Issue } from '../../../../shared/platform/errors/app-error.ts';
import type { NamedSection, StoryDeps } from '../use-cases/context.ts';
import {
  cleanText,
  NEXT_INSTRUCTIONS,
  OUTLINE_INSTRUCTIONS,
  REFRESH_INSTRUCTIONS,
  REWRITE_INSTRUCTIONS,
  readNext,
  readOutline,
  readParagraphs,
} from './prompts.ts';
import type {
  NextSection,
  RefreshedParagraphs,
  RefreshRequest,
  RewriteRequest,
  RewrittenText,
  StoryOutline,
} from './schemas.ts';

export interface AiDeps extends StoryDeps {
  ai: AiFunction;
  /** The name of the language model, for the readers of its texts. */
  aiModel: string;
}

const MAX_OUTPUT_TOKENS = 4000;
/** The gateway waits for 29 seconds. */
const BUDGET_MS = 25_000;
/** As much of a story as a question may contain. */
const MAX_SECTION_CHARACTERS = 2000;
const MAX_STORY_CHARACTERS = 30_000;
/** What stands for a number that not everyone may see. */
const LEFT_OUT = '…';

interface Question {
  instructions: string;
  request: object;
  purpose: string;
}

/** Calls the model once. Throws `AI_NOT_CONFIGURED` or `AI_UNAVAILABLE`. */
async function answered(
  { ai }: Pick<AiDeps, 'ai'>,
  { workspaceId }: Principal,
  { request, ...question }: Question,
): Promise<string> {
  const { text } = await ai.ask({
    ...question,
    messages: [{ role: 'user', content: sealed('request', request) }],
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    timeoutMs: BUDGET_MS,
    workspaceId,
  });
  return text;
}

const rejected = (detail: string): AppError => new AppError('AI_ANSWER_REJECTED', { detail });
const unreadable = (): AppError => rejected('The AI provider returned an answer of another form than asked for.');
const wrongNumbers = (numbers: readonly string[], where: string): AppError =>
  rejected(
    `The AI provider returned a text with numbers that are not in ${where}: ${numbers.slice(0, 10).join(', ')}.`,
  );

const takenPart = ({ aiModel, now }: AiDeps, action: string): SectionAi => ({
  ...(aiModel !== '' && { model: aiModel }),
  action,
  generatedAt: now().toISOString(),
});

/** Throws `AI_NOT_CONFIGURED`, `AI_UNAVAILABLE`, and `AI_ANSWER_REJECTED` for an answer of another form. */
export async function outlineStory(
  deps: AiDeps,
  { principal, goal }: { principal: Principal; goal: string },
): Promise<StoryOutline> {
  const answer = await answered(deps, principal, {
    instructions: OUTLINE_INSTRUCTIONS,
    request: { goal },
    purpose: 'outline-story',
  });
  const outline = readOutline(answer);
  if (!outline) throw unreadable();
  return outline;
}

/** Throws the same codes, and `STORY_NOT_FOUND`. */
export async function suggestNext(deps: AiDeps, named: NamedStory): Promise<NextSection> {
  const { state } = await actedOn(deps, named, 'contributor');
  const { title, summary } = state.record;
  // The suggestion is not tied to a section whose readers could be restricted.
  const open = state.sections.filter(({ visibility }) => visibility === 'everyone');
  const sections = await deps.store.withContents(storyPlaceOf(state.record), open);
  const answer = await answered(deps, named.principal, {
    instructions: NEXT_INSTRUCTIONS,
    request: { title, summary, sections: shortened(sections) },
    purpose: 'suggest-story-section',
  });
  const next = readNext(answer);
  if (!next) throw unreadable();
  return next;
}

/** Titles and the beginnings of texts, as far as they fit. */
function shortened(sections: readonly Section[]): { title: string | null; text: string }[] {
  let left = MAX_STORY_CHARACTERS;
  return sections.map(({ title, content }) => {
    const text = plainText(content, { valueText: () => LEFT_OUT });
    const cut = text.slice(0, Math.max(0, Math.min(MAX_SECTION_CHARACTERS, left)));
    left -= cut.length;
    return { title, text: cut };
  });
}

/** Throws the same codes, `AI_ROWS_PROTECTED`, and `VALIDATION_FAILED` for an action without what it needs. */
export async function rewriteText(
  deps: AiDeps,
  { rewrite, ...named }: NamedStory & { rewrite: RewriteRequest },
): Promise<RewrittenText> {
  const { state } = await actedOn(deps, named, 'contributor');
  const { text, action, tone, language } = rewrite;
  assertComplete(rewrite);
  await assertOpenText(deps, named.principal, state, text);
  const answer = await answered(deps, named.principal, {
    instructions: REWRITE_INSTRUCTIONS,
    request: { action, ...(action === 'tone' && { tone }), ...(action === 'translate' && { language }), text },
    purpose: 'rewrite-story-text',
  });
  const rewritten = cleanText(answer);
  if (rewritten === '') throw unreadable();
  const wrong = action === 'translate' ? [] : numbersBeyond(rewritten, [text]);
  if (wrong.length > 0) throw wrongNumbers(wrong, 'the text');
  return { text: rewritten, ai: takenPart(deps, action) };
}

/**
 * A text of protected rows would be one more place to protect, which a person may carry anywhere, in other words. So a
 * language model gets none: a text is open if it stands in a section that quotes no protected rows, or if no section of
 * the story does. Throws `AI_ROWS_PROTECTED`.
 */
async function assertOpenText(
  deps: AiDeps,
  { workspaceId }: Principal,
  { record, sections, removed }: StoryState,
  text: string,
): Promise<void> {
  const isProtected = async ({ reads }: Pick<Section, 'reads'>) => quotesProtected(deps, workspaceId, reads);
  const all = await Promise.all([...sections, ...removed.values()].map(isProtected));
  if (!all.includes(true)) return;
  const open = await deps.store.withContents(
    storyPlaceOf(record),
    sections.filter((_, index) => !all[index]),
  );
  const wanted = wordsOf(text);
  const isIn = ({ title, content }: Section) => wordsOf(`${title ?? ''} ${plainText(content)}`).includes(wanted);
  if (!open.some(isIn)) throw protectedText();
}

/** Without case, punctuation and marks, so that a text is found however it was selected. */
const wordsOf = (text: string): string =>
  ` ${(
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).join(' ')} `;

const protectedText = (): AppError =>
  new AppError('AI_ROWS_PROTECTED', {
    detail:
      'The text may quote rows that row-level security or a sensitivity label protects, so it is not sent to the AI provider.',
  });

function assertComplete({ action, tone, language }: RewriteRequest): void {
  const errors: Issue[] = [];
  if (action === 'tone' && tone === undefined) {
    errors.push({ pointer: '/tone', code: 'REQUIRED', message: 'is required with the action `tone`' });
  }
  if (action === 'translate' && language === undefined) {
    errors.push({ pointer: '/language', code: 'REQUIRED', message: 'is required with the action `translate`' });
  }
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}

/**
 * Throws the same codes, `STORY_SECTION_NOT_FOUND`, `SECTION_HIDDEN`, `AI_ROWS_PROTECTED`, and `VALIDATION_FAILED` for
 * blocks and values that the section does not have.
 */
export async function refreshSection(
  deps: AiDeps,
  { refresh, ...named }: NamedSection & { refresh: RefreshRequest },
): Promise<RefreshedParagraphs> {
  const { state } = await actedOn(deps, named, 'contributor');
  const record = sectionOf(state, named.sectionId);
  const [section] = (await deps.store.withContents(storyPlaceOf(state.record), [record])) as [Section];
  if (await isHidden(deps, named.principal, section)) throw new AppError('SECTION_HIDDEN');
  assertKnown(refresh, section);
  if (await quotesProtected(deps, named.principal.workspaceId, section.reads)) throw protectedText();
  const answer = await answered(deps, named.principal, {
    instructions: REFRESH_INSTRUCTIONS,
    request: refresh,
    purpose: 'refresh-story-section',
  });
  return { paragraphs: revisedParagraphs(answer, refresh), ai: takenPart(deps, 'refresh') };
}

function assertKnown({ paragraphs, changes }: RefreshRequest, { content }: Section): void {
  const blockIds = new Set(content.content.map(({ attrs }) => attrs.id));
  const valueIds = new Set(inlineValuesOf(content).map(({ part }) => part.id));
  const errors = [
    ...issuesOf(paragraphs, blockIds, { list: 'paragraphs', member: 'blockId', what: 'a block' }),
    ...issuesOf(changes, valueIds, { list: 'changes', member: 'valueId', what: 'an inline value' }),
  ];
  if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
}

function issuesOf<M extends string>(
  items: readonly Record<M, string>[],
  known: ReadonlySet<string>,
  { list, member, what }: { list: string; member: M; what: string },
): Issue[] {
  return items.flatMap((item, index) => {
    const pointer = `/${list}/${index}/${member}`;
    const id = item[member];
    if (!known.has(id)) return [{ pointer, code: 'UNKNOWN', message: `is not the id of ${what} of the section` }];
    const isRepeated = items.findIndex((each) => each[member] === id) < index;
    return isRepeated ? [{ pointer, code: 'DUPLICATE', message: 'is already in the list' }] : [];
  });
}

const PLACEHOLDER = /\{\{([A-Za-z0-9][A-Za-z0-9_-]*)\}\}/g;

/** The paragraphs whose text changes. Throws `AI_ANSWER_REJECTED`. */
function revisedParagraphs(answer: string, { paragraphs, changes }: RefreshRequest): RefreshedParagraphs['paragraphs'] {
  const read = readParagraphs(answer);
  const given = new Map(paragraphs.map(({ blockId, text }) => [blockId, text]));
  if (!read?.every(({ blockId }) => given.has(blockId))) throw unreadable();
  const written = paragraphs.map(({ text }) => text);
  const values = new Set(written.flatMap(placeholdersIn));
  if (!read.every(({ text }) => placeholdersIn(text).every((id) => values.has(id)))) throw unreadable();
  const known = [...written.map((text) => withoutPlaceholders(text)), ...changes.map(({ to }) => to)];
  const wrong = read.flatMap(({ text }) => numbersBeyond(withoutPlaceholders(text), known));
  if (wrong.length > 0) throw wrongNumbers(wrong, '`to` or the paragraphs');
  const revised = new Map(read.map(({ blockId, text }) => [blockId, text]));
  return paragraphs.flatMap(({ blockId, text: before }) => {
    const text = revised.get(blockId);
    return text === undefined || text === before ? [] : [{ blockId, text }];
  });
}

const placeholdersIn = (text: string): string[] => [...text.matchAll(PLACEHOLDER)].map(([, id]) => id!);
const withoutPlaceholders = (text: string): string => text.replaceAll(PLACEHOLDER, LEFT_OUT);
