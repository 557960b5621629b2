import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { BoardDraft, CardChange } from '../../data/board-draft.ts';
import { isSamePlace, moved, type Place, placeText, putAt, resized } from '../../data/board-layout.ts';
import type { Card } from '../../data/boards.ts';
import { type Tokens, themeStyle } from '../../data/themes.ts';
import { EditedCard, nameOfCard } from './edited-card.tsx';
import { editorContext } from './editor-context.ts';
import { type GridActions, type Moving, styleOf } from './moving-card.ts';

interface EditGridProps {
  draft: BoardDraft;
  /** Those of the page. */
  cards: readonly Card[];
  tokens: Tokens;
  zone: string | null;
  selected: string | undefined;
  select: (cardId: string | undefined) => void;
}

/** Rows of the grid are so far from each other, in pixels, and columns have this between them. */
const ROW_PX = 48;
const GAP_PX = 16;

/**
 * The cards on 24 columns. By pointer, a card is dragged by its head and resized at its corner. By keyboard, Enter grabs
 * the card that has the focus, arrows move it, Shift and arrows resize it, Enter drops it, and Escape returns it; each
 * step is spoken.
 */
export function EditGrid({ draft, cards, tokens, zone, selected, select }: EditGridProps) {
  const grid = useRef<HTMLDivElement>(null);
  const moving = useSignal<Moving | undefined>(undefined);
  const spoken = useSignal('');
  const context = useMemo(() => editorContext(draft, tokens, zone), [draft, tokens, zone]);
  const places = () => new Map(cards.map(({ id, position }) => [id, position as Place]));
  const say = (id: string, text: string) => {
    const card = draft.card(id);
    if (card) spoken.value = `${nameOfCard(card)}, ${text}`;
  };
  const go = (place: Place) => {
    const now = moving.peek();
    if (!now) return;
    moving.value = { ...now, place };
    say(now.id, isSamePlace(place, now.place) ? `${placeText(place)}. The grid ends here.` : placeText(place));
  };
  const actions: GridActions = {
    grab: (card) => {
      moving.value = { id: card.id, from: card.position, place: card.position };
      say(card.id, `grabbed. ${placeText(card.position)}`);
    },
    move: (dx, dy) => moving.peek() && go(moved(moving.peek()!.place, dx, dy)),
    resize: (dw, dh) => moving.peek() && go(resized(moving.peek()!.place, dw, dh)),
    drop: () => {
      const now = moving.peek();
      moving.value = undefined;
      if (!now) return;
      say(now.id, `dropped. ${placeText(now.place)}`);
      const changes = putAt(places(), now.id, now.place);
      if (changes.size === 0) return;
      const card = draft.card(now.id);
      const positions = [...changes].map(([id, position]): [string, CardChange] => [id, { position }]);
      draft.change(`Move ${card ? nameOfCard(card) : 'a card'}`, new Map(positions));
    },
    cancel: () => {
      const now = moving.peek();
      moving.value = undefined;
      if (now) say(now.id, `returned. ${placeText(now.from)}`);
    },
    drag: (card, event, isResize) => {
      const width = (grid.current!.clientWidth + GAP_PX) / 24;
      const start = { x: event.clientX, y: event.clientY };
      const handle = event.currentTarget as HTMLElement;
      const left = new AbortController();
      const { signal } = left;
      const from = card.position;
      handle.setPointerCapture(event.pointerId);
      const onMove = ({ clientX, clientY }: PointerEvent) => {
        const [x, y] = [clientX - start.x, clientY - start.y];
        // A press that hardly moves is none of a drag.
        if (!moving.peek() && Math.hypot(x, y) < 4) return;
        const [dx, dy] = [Math.round(x / width), Math.round(y / ROW_PX)];
        const place = isResize ? resized(from, dx, dy) : moved(from, dx, dy);
        moving.value = { id: card.id, from, place, offset: { x, y, isResize } };
      };
      const end = (isDropped: boolean) => {
        left.abort();
        if (isDropped) actions.drop();
        else actions.cancel();
      };
      handle.addEventListener('pointermove', onMove, { signal });
      handle.addEventListener('pointerup', () => end(true), { signal });
      handle.addEventListener('pointercancel', () => end(false), { signal });
      addEventListener(
        'keydown',
        (key) => {
          if (key.key === 'Escape') end(false);
        },
        { signal },
      );
    },
  };
  useEffect(() => () => context.close(), [context]);
  const now = moving.value;
  const shown = now ? putAt(places(), now.id, now.place) : new Map<string, Place>();
  return (
    <div
      class={tokens.dark ? 'board edit-board always-dark' : 'board edit-board'}
      style={themeStyle(tokens)}
      data-moving={now ? '' : undefined}
    >
      <p id="grid-keys" class="sr">
        Enter grabs the card, arrow keys move it, Shift and arrow keys resize it, Enter drops it, Escape returns it.
        Delete removes it.
      </p>
      <div class="grid" ref={grid}>
        {now && <div class="shadow" style={styleOf(now.place)} />}
        {cards.map((card) => (
          <EditedCard
            key={card.id}
            draft={draft}
            card={card}
            place={now?.id === card.id ? placeOf(now) : (shown.get(card.id) ?? card.position)}
            moving={now?.id === card.id ? now : undefined}
            context={context}
            actions={actions}
            isSelected={card.id === selected}
            select={select}
          />
        ))}
      </div>
      <p class="sr" role="status" aria-live="assertive">
        {spoken.value}
      </p>
    </div>
  );
}

/** A card that is dragged follows the pointer from where it was. */
const placeOf = ({ from, place, offset }: Moving): Place => (offset && !offset.isResize ? from : place);
