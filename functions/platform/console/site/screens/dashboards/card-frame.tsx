import type { fillOf } from '../../../../../../shared/data/charts/board-cards.ts';
import { Icon } from '../../ui/icon.tsx';
import { ExternalLink } from '../../ui/link.tsx';
import { Menu, type MenuChoice } from '../../ui/menu.tsx';
import { MarkdownText } from './markdown-text.tsx';
import type { SeenCard } from './seen-card.ts';

export type CardMenuOf = (card: SeenCard) => readonly (readonly MenuChoice[])[];

interface CardFrameProps {
  card: SeenCard;
  /** Where it begins on the page, from 1. */
  row: number;
  fill: ReturnType<typeof fillOf>;
  menuOf?: CardMenuOf | undefined;
}

/** Where a card lies on the grid. */
export const placeStyle = (x: number, w: number, row: number, h: number) =>
  ({ '--x': String(x + 1), '--w': String(w), '--y': String(row), '--h': String(h) }) as Record<string, string>;

/** The frame of a card with its text; a script fills in its rows. */
export function CardFrame({ card, row, fill, menuOf }: CardFrameProps) {
  const { id, cardType, title, description, position } = card;
  const style = placeStyle(position.x, position.w, row, position.h);
  if (cardType === 'divider') return <hr class="card divider" id={`card-${id}`} style={style} />;
  const name = title || (fill ? 'Untitled card' : '');
  return (
    <article class={`card ${cardType}`} id={`card-${id}`} aria-label={name || undefined} style={style}>
      {(title || fill) && (
        <div class="card-head">
          {title && <h2>{title}</h2>}
          {fill === 'chart' && (
            <button type="button" class="show-data" aria-pressed="false" hidden>
              Data
            </button>
          )}
          {fill && menuOf && <CardMenu card={card} name={name} menuOf={menuOf} />}
        </div>
      )}
      {description && <p class="description">{description}</p>}
      {fill ? (
        <>
          <div class="content" data-card={id} aria-busy="true">
            <div class="placeholder" aria-hidden="true" />
          </div>
          <p class="age" />
        </>
      ) : (
        <div class="content">
          <FixedContent card={card} />
        </div>
      )}
    </article>
  );
}

/** Rendered by itself, because what it offers may be known later. */
const CardMenu = ({ card, name, menuOf }: { card: SeenCard; name: string; menuOf: CardMenuOf }) => (
  <Menu label={`Actions of ${name}`} isRight class="card-menu" choices={menuOf(card)}>
    <Icon name="ellipsis" size={16} />
  </Menu>
);

/** What a card shows that reads no rows. */
export function FixedContent({
  card,
}: {
  card: Pick<SeenCard, 'cardType' | 'title' | 'textContent' | 'imageUrl' | 'value'>;
}) {
  const { cardType, title, textContent, imageUrl, value } = card;
  if (textContent !== null) return <MarkdownText text={textContent} level={title ? 3 : 2} />;
  if (imageUrl !== null) {
    const host = URL.parse(imageUrl)?.host;
    return (
      <p class="nothing">
        {host ? (
          <span>
            An image at <ExternalLink href={imageUrl}>{host}</ExternalLink>
          </span>
        ) : (
          'The address of the image is not valid.'
        )}
      </p>
    );
  }
  if (value !== null) return <p class="value">{value}</p>;
  return cardType === 'text' && title ? null : <p class="nothing">This card is empty.</p>;
}
