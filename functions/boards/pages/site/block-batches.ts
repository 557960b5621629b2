import type { CardReading, ReadCard } from '../../browser/access.ts';
import { type ProblemDocument, problemOf } from './api.ts';
import { gather } from './gather.ts';

/** A live block, which is a card, and how to read it. */
export interface AskedBlock {
  cardId: string;
  reading: CardReading;
}

export interface CardResult {
  data: ReadCard | null;
  problem: ProblemDocument | null;
}

/** Blocks of one request appear together, so the first ones of the text do not wait for the last ones. */
const MOST_IN_REQUEST = 10;
export const BLOCKS_AT_ONCE = 3 * MOST_IN_REQUEST;

/** Reads the blocks that are asked for in the same moment in few requests, and those that do not fit in alone. */
export function readTogether({
  all,
  alone,
}: {
  all(asked: AskedBlock[]): Promise<CardResult[]>;
  alone(asked: AskedBlock): Promise<ReadCard>;
}): (asked: AskedBlock) => Promise<ReadCard> {
  return gather(MOST_IN_REQUEST, async (asked: AskedBlock[]) => {
    const results = await all(asked);
    return results.map(({ data, problem }, index) => () => {
      if (data) return data;
      const error = problemOf(problem!);
      if (error.code === 'RESULT_TOO_LARGE') return alone(asked[index]!);
      throw error;
    });
  });
}
