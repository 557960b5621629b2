import type { Access } from '../../../../../boards/browser/access.ts';
import type { CardContext } from '../../../../../boards/browser/cards.ts';
import { conditionsOf, type Values } from '../../../../../boards/browser/conditions.ts';
import type { BoardDraft } from '../../data/board-draft.ts';
import { filterConfig, memberAccess } from '../../data/boards.ts';
import type { Tokens } from '../../data/themes.ts';

const AT_ONCE = 4;

/** How the editor reads cards: as readers see them at first, and few at a time, so that changes are saved soon. */
export function editorContext(draft: BoardDraft, tokens: Tokens, zone: string | null): CardContext & { close(): void } {
  const left = new AbortController();
  const access = { ...fewAtOnce(memberAccess(draft.id)) };
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
  return {
    access,
    tokens,
    left: left.signal,
    filters: () => {
      const filters = draft.current.filters.map(filterConfig);
      const values: Values = Object.fromEntries(filters.map(({ id, value }) => [id, value]));
      return conditionsOf(filters, values);
    },
    zones: {
      wanted: ({ hasOwnZone }) => (draft.current.timezone === null && zone === null && !hasOwnZone ? own : undefined),
      shown: () => {},
    },
    close: () => left.abort(),
  };
}

function fewAtOnce(access: Access): Access {
  const { terms: _terms, ...others } = access;
  const waiting: (() => void)[] = [];
  let running = 0;
  const turn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      return await work();
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  };
  return {
    ...others,
    readCard: (...given) => turn(() => access.readCard(...given)),
    drawCard: (...given) => turn(() => access.drawCard(...given)),
  };
}
