import type { Place } from '../../data/board-layout.ts';
import type { Card } from '../../data/boards.ts';
import { placeStyle } from './card-frame.tsx';

/** A card on its way. */
export interface Moving {
  id: string;
  from: Place;
  place: Place;
  /** By the pointer: how far the card is from where it was, in pixels. */
  offset?: { x: number; y: number; isResize: boolean };
}

export interface GridActions {
  grab(card: Card): void;
  /** By cells. */
  move(dx: number, dy: number): void;
  resize(dw: number, dh: number): void;
  drop(): void;
  cancel(): void;
  drag(card: Card, event: PointerEvent, isResize: boolean): void;
}

/** Where a card lies in the editor: rows without cards stay. */
export const styleOf = ({ x, y, w, h }: Place): Record<string, string> => placeStyle(x, w, y + 1, h);
