import { useEffect, useRef } from 'preact/hooks';
import { type CardContext, Card as ShownCard } from '../../../../../boards/browser/cards.ts';
import { useAction } from '../../data/action.ts';
import type { BoardDraft } from '../../data/board-draft.ts';
import { type Place, placeText } from '../../data/board-layout.ts';
import { type Card, configsOf, filledCard } from '../../data/boards.ts';
import { IconButton } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.tsx';
import { FixedContent } from './card-frame.tsx';
import { ConflictBox } from './conflict-box.tsx';
import { type GridActions, type Moving, styleOf } from './moving-card.ts';
import { useDark } from './use-dark.ts';

export const nameOfCard = ({ title, cardType, textContent }: Card): string =>
  title ||
  (textContent !== null
    ? textContent
        .replaceAll(/[#*\s]+/g, ' ')
        .trim()
        .slice(0, 40)
    : '') ||
  `Untitled ${cardType}`;

interface EditedCardProps {
  draft: BoardDraft;
  card: Card;
  place: Place;
  moving: Moving | undefined;
  context: CardContext;
  actions: GridActions;
  isSelected: boolean;
  select: (cardId: string | undefined) => void;
}

const ARROWS: Readonly<Record<string, [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** A card of the editor: its frame is moved, resized and selected; its content only shows. */
export function EditedCard({ draft, card, place, moving, context, actions, isSelected, select }: EditedCardProps) {
  const { id, cardType, title, description } = card;
  const name = nameOfCard(card);
  const frame = useRef<HTMLElement>(null);
  const conflict = draft.conflicts.value.get(id);
  const remove = useAction(async () => {
    try {
      await draft.removeCard(id);
      toast(`${name} is deleted.`, { action: { label: 'Undo', run: () => void draft.history.undo() } });
    } catch (error) {
      await draft.sync();
      toast(`${name} was not deleted, because another person has changed it. Look at it again.`, { isFailed: true });
      throw error;
    }
  });
  const isGrabbed = moving !== undefined && moving.offset === undefined;
  const onKey = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const run = isGrabbed
      ? whileGrabbed(event, actions)
      : atRest(event.key, { grab: () => actions.grab(card), remove: () => void remove.run() });
    if (!run) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  };
  const offset = moving?.offset;
  const style = {
    ...styleOf(place),
    ...(offset && !offset.isResize && { translate: `${offset.x}px ${offset.y}px` }),
  };
  const classes = ['card', cardType, isSelected && 'selected', moving && 'moving', conflict && 'in-conflict'];
  return (
    <article
      ref={frame}
      id={`card-${id}`}
      class={classes.filter(Boolean).join(' ')}
      aria-label={`${name}, ${placeText(place)}`}
      aria-describedby="grid-keys"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: cards are moved by keys.
      tabIndex={0}
      style={style}
      onKeyDown={onKey}
      onBlur={(event) => {
        if (isGrabbed && event.target === event.currentTarget) actions.cancel();
      }}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the card has the keys that do the same. */}
      <div
        class="card-head grip"
        onPointerDown={(event) => {
          if (event.button !== 0 || (event.target as Element).closest('button')) return;
          actions.drag(card, event, false);
        }}
        onDblClick={() => select(id)}
      >
        <h2>{title || <span class="hint">{name}</span>}</h2>
        <IconButton
          icon="settings"
          label={`Settings of ${name}`}
          aria-pressed={isSelected}
          onClick={() => select(isSelected ? undefined : id)}
        />
        <IconButton
          icon="trash-2"
          label={`Delete ${name}`}
          disabled={remove.isRunning}
          onClick={() => void remove.run()}
        />
      </div>
      {conflict && <ConflictBox draft={draft} card={card} conflict={conflict} />}
      {description && <p class="description">{description}</p>}
      <Content card={card} context={context} place={place} isMoving={moving !== undefined} />
      <div class="corner" aria-hidden="true" onPointerDown={(event) => actions.drag(card, event, true)} />
    </article>
  );
}

/** What a key does with a card that is grabbed. */
function whileGrabbed({ key, shiftKey }: KeyboardEvent, actions: GridActions): (() => void) | undefined {
  if (key === 'Enter' || key === ' ') return actions.drop;
  if (key === 'Escape') return actions.cancel;
  const arrow = ARROWS[key];
  return arrow && (() => (shiftKey ? actions.resize(...arrow) : actions.move(...arrow)));
}

/** What a key does with a card that has the focus. */
function atRest(key: string, { grab, remove }: { grab(): void; remove(): void }): (() => void) | undefined {
  if (key === 'Enter' || key === ' ') return grab;
  return key === 'Delete' || key === 'Backspace' ? remove : undefined;
}

interface ContentProps {
  card: Card;
  context: CardContext;
  place: Place;
  isMoving: boolean;
}

/** Rows are read when the card is saved, and drawn again when it has another size. */
function Content({ card, context, place, isMoving }: ContentProps) {
  const shown = useRef<ShownCard | undefined>(undefined);
  const config = configsOf([filledCard(card)])[0];
  const fill = config?.fill;
  const dark = useDark();
  const size = isMoving ? '' : `${place.w} ${place.h} ${dark}`;
  const former = useRef(size);
  useEffect(() => {
    if (!config) return;
    shown.current = new ShownCard(config, context);
    void shown.current.read();
  }, [fill, card.revision, context]);
  useEffect(() => {
    if (size === '' || size === former.current) return;
    former.current = size;
    void shown.current?.redraw();
  }, [size]);
  if (card.cardType === 'divider') return <hr />;
  if (!fill) {
    return (
      <div class="content" key="fixed" inert>
        <FixedContent card={filledCard(card)} />
      </div>
    );
  }
  return <div class="content" key={fill} data-card={card.id} inert />;
}
