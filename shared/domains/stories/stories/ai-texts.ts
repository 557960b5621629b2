import { createHash } from 'node:crypto';
import { plainText, type RichText } from '../../../data/rich-text/index.ts';
import { AppError } from '../../../platform/errors/app-error.ts';
import { onNewest } from '../../../platform/storage/on-newest.ts';
import { readItems } from '../../../platform/storage/read-items.ts';
import type { Table, TransactItem } from '../../../platform/storage/table.ts';
import { failedConditions, transact } from '../../../platform/storage/transact.ts';
import { aiTextKey, type StoryPlace } from './keys.ts';
import { isSameReads, joinReads, type TextReads } from './quoted-tables.ts';
import type { StoryStore } from './store.ts';

/** As many as fit in a transaction, each with the tables of a large story. */
const SENTENCES_AT_ONCE = 20;
/** Fewer words are recognised only together with their numbers. */
const MIN_WORDS = 4;

/**
 * The sentences of a text by which it is recognised elsewhere: without case, punctuation and, in longer sentences,
 * numbers. Single words are none.
 */
export function sentencesOf(text: string): Set<string> {
  const sentences = text.split(/(?<=[.!?。！？])\s+|[\n\t]+/u).flatMap((sentence) => {
    const words =
      sentence
        .normalize('NFKC')
        .toLowerCase()
        .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
    const plain = words.filter((word) => !/\p{N}/u.test(word));
    const known = plain.length >= MIN_WORDS ? plain : words;
    return known.length > 1 ? known.join(' ') : [];
  });
  return new Set(sentences);
}

/** The sentences of a section. Inline values are left out: people copy them as texts. */
export const sentencesOfSection = ({ title, content }: { title: string | null; content: RichText }): Set<string> =>
  sentencesOf(`${title ?? ''}\n${plainText(content, { valueText: () => ' ' })}`);

const without = (sentences: ReadonlySet<string>, others: ReadonlySet<string>): string[] =>
  [...sentences].filter((sentence) => !others.has(sentence));

/**
 * Keeps, by their hashes, the sentences that a language model has written from texts that may quote rows, so that they
 * are recognised in any section of the story, whatever its author declares.
 */
export async function keepAiText(
  { table, store }: { table: Table; store: Pick<StoryStore, 'presentItem'> },
  place: StoryPlace,
  { answer, given, reads }: { answer: string; given: string; reads: TextReads },
): Promise<void> {
  if (reads?.length === 0) return;
  const written = without(sentencesOf(answer), sentencesOf(given));
  for (let start = 0; start < written.length; start += SENTENCES_AT_ONCE) {
    const sentences = written.slice(start, start + SENTENCES_AT_ONCE);
    await onNewest('STALE_WRITE', async () => {
      const known = await keptReads(table, place, sentences);
      const items = sentences.flatMap((sentence) => putItems(table, place, sentence, { known, reads }));
      if (items.length === 0) return;
      try {
        await transact(table, [store.presentItem(place), ...items]);
      } catch (cause) {
        const failed = failedConditions(cause);
        if (failed.has(0)) throw new AppError('STORY_NOT_FOUND', { cause });
        if (failed.size > 0) throw new AppError('STALE_WRITE', { cause });
        throw cause;
      }
    });
  }
}

function putItems(
  { name: TableName }: Table,
  place: StoryPlace,
  sentence: string,
  { known, reads }: { known: ReadonlyMap<string, KeptReads>; reads: TextReads },
): TransactItem[] {
  const before = known.get(hashOf(sentence));
  const joined = before ? joinReads(before.reads, reads) : reads;
  if (before && isSameReads(before.reads, joined)) return [];
  const Item = { ...aiTextKey(place, hashOf(sentence)), entity: 'story-ai-text', reads: joined };
  const count = before?.changes ?? 0;
  return [
    {
      Put: {
        TableName,
        Item: { ...Item, changes: count + 1 },
        ...(before
          ? { ConditionExpression: 'changes = :seen', ExpressionAttributeValues: { ':seen': count } }
          : { ConditionExpression: 'attribute_not_exists(pk)' }),
      },
    },
  ];
}

/** What the sentences may quote that a language model has written; undefined if it has written none of them. */
export async function aiReadsOf(
  table: Table,
  place: StoryPlace,
  sentences: ReadonlySet<string>,
  known: ReadonlySet<string> = new Set(),
): Promise<TextReads | undefined> {
  const kept = [...(await keptReads(table, place, without(sentences, known))).values()];
  return kept.length === 0 ? undefined : kept.map(({ reads }) => reads).reduce(joinReads);
}

interface KeptReads {
  reads: TextReads;
  changes: number;
}

async function keptReads(
  table: Table,
  place: StoryPlace,
  sentences: readonly string[],
): Promise<Map<string, KeptReads>> {
  const { sk: prefix } = aiTextKey(place, '');
  const items = await readItems(
    table,
    sentences.map((sentence) => aiTextKey(place, hashOf(sentence))),
  );
  return new Map(items.map((item) => [String(item.sk).slice(prefix.length), item as unknown as KeptReads]));
}

const hashOf = (sentence: string): string => createHash('sha256').update(sentence).digest('base64url').slice(0, 22);
