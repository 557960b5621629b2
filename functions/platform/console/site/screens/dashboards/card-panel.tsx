import type { BoardDraft, CardChange } from '../../data/board-draft.ts';
import { freePlace, moved, placeText, putAt, resized } from '../../data/board-layout.ts';
import { type Card, cardsOfPage } from '../../data/boards.ts';
import type { Types } from '../../data/client.ts';
import type { Tokens } from '../../data/themes.ts';
import { SourcePicker } from '../../shell/source-picker.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Field, SelectField } from '../../ui/field.tsx';
import { ChartPanel } from './chart-panel.tsx';
import { DelayedField } from './delayed-field.tsx';
import { nameOfCard } from './edited-card.tsx';

interface CardPanelProps {
  draft: BoardDraft;
  card: Card;
  tokens: Tokens;
  select: (cardId: string | undefined) => void;
}

const specOf = ({ chartSpec, savedQueryId }: Card): Types.ChartSpec =>
  chartSpec ?? { version: 1, query: { source: { kind: 'savedQuery', id: savedQueryId! } }, mark: { type: 'table' } };

const cardTypeOf = (spec: Types.ChartSpec): string => {
  const { type } = spec.mark;
  if (type === 'table' || type === 'pivot' || type === 'kpi') return type;
  return type === 'geoshape' || type === 'geopoint' ? 'map' : 'chart';
};

/** The settings of a card, beside the grid. */
export function CardPanel({ draft, card, tokens, select }: CardPanelProps) {
  const { id, cardType, title, description, textContent, imageUrl, value } = card;
  const name = nameOfCard(card);
  const set = (change: CardChange) => draft.change(`Change ${name}`, new Map([[id, change]]));
  const hasChart = card.chartSpec !== null || card.savedQueryId !== null;
  const isFixed = textContent !== null || imageUrl !== null || value !== null || cardType === 'divider';
  return (
    <aside class="panel" aria-label={`Settings of ${name}`}>
      <header>
        <h2>Settings</h2>
        <IconButton icon="x" label="Close the settings" onClick={() => select(undefined)} />
      </header>
      {cardType !== 'divider' && (
        <DelayedField label="Title" value={title} maxLength={200} save={(next) => set({ title: next })} />
      )}
      {textContent !== null && (
        <DelayedField
          label="Text"
          hint="Markdown: **bold**, # heading, - list, [link](https://…)"
          value={textContent}
          rows={8}
          save={(next) => set({ textContent: next })}
        />
      )}
      {imageUrl !== null && (
        <DelayedField
          label="Address of the image"
          hint="Readers see a link: pages load nothing from other hosts."
          type="url"
          value={imageUrl}
          save={(next) => URL.canParse(next) && next.startsWith('https://') && set({ imageUrl: next })}
        />
      )}
      {value !== null && <DelayedField label="Value" value={value} save={(next) => next && set({ value: next })} />}
      {!isFixed && !hasChart && (
        <SourcePicker
          tokens={tokens}
          make={({ name: source, spec, cardType: type }) => {
            const change = { chartSpec: spec, cardType: type, ...(title === '' && { title: source }) };
            draft.change(`Make a chart of ${source}`, new Map([[id, change]]));
          }}
        />
      )}
      {hasChart && (
        <ChartPanel
          saved={specOf(card)}
          save={(spec) => {
            if (JSON.stringify(spec) === JSON.stringify(specOf(draft.card(id) ?? card))) return;
            set({ chartSpec: spec, cardType: cardTypeOf(spec) });
          }}
          tokens={tokens}
        />
      )}
      {cardType !== 'divider' && (
        <DelayedField
          label="Description"
          value={description}
          maxLength={2000}
          save={(next) => set({ description: next })}
        />
      )}
      <Placing draft={draft} card={card} />
    </aside>
  );
}

const SIDES = [
  ['x', 'Column'],
  ['y', 'Row'],
  ['w', 'Width'],
  ['h', 'Height'],
] as const;

/** The page, and the place by numbers. */
function Placing({ draft, card }: { draft: BoardDraft; card: Card }) {
  const { pages, cards } = draft.board.value;
  const { id, position, pageId } = card;
  const name = nameOfCard(card);
  const put = (side: (typeof SIDES)[number][0], next: number) => {
    const by = next - position[side];
    const place =
      side === 'x'
        ? moved(position, by, 0)
        : side === 'y'
          ? moved(position, 0, by)
          : side === 'w'
            ? resized(position, by, 0)
            : resized(position, 0, by);
    const others = new Map(cardsOfPage(cards, pages, pageId ?? pages[0]?.id).map((each) => [each.id, each.position]));
    const changes = [...putAt(others, id, place)].map(([each, to]): [string, CardChange] => [each, { position: to }]);
    if (changes.length > 0) draft.change(`Move ${name}`, new Map(changes));
  };
  return (
    <>
      <fieldset class="placing" aria-label={`Place: ${placeText(position)}`}>
        {SIDES.map(([side, label]) => {
          const first = side === 'x' || side === 'y' ? 1 : 0;
          return (
            <Field
              key={side}
              label={label}
              type="number"
              min={1}
              value={String(position[side] + first)}
              onChange={({ currentTarget }) => put(side, Number(currentTarget.value) - first)}
            />
          );
        })}
      </fieldset>
      {pages.length > 1 && (
        <SelectField
          label="Page"
          value={pageId ?? pages[0]!.id}
          onChange={({ currentTarget: { value } }) => {
            const there = cardsOfPage(cards, pages, value).map((each) => each.position);
            const place = freePlace(there, position.w, position.h);
            draft.change(`Move ${name} to another page`, new Map([[id, { pageId: value, position: place }]]));
          }}
        >
          {pages.map((page) => (
            <option key={page.id} value={page.id}>
              {page.name}
            </option>
          ))}
        </SelectField>
      )}
    </>
  );
}
