import type { ThemeTokens } from '../../../shared/data/charts/theme.ts';
import type { CardFilter, Filter } from './conditions.ts';
import type { DrillStep, Selection } from './exploring.ts';
import type { CardData } from './table.ts';
import type { Terms } from './terms.ts';

export interface Reading {
  filters: CardFilter[];
  selection?: Selection | undefined;
  drill?: DrillStep[] | undefined;
  timezone?: string | undefined;
  /** 0 reads the data again, however new the known rows are. */
  maxAgeSeconds?: number | undefined;
}

export interface Image {
  width: number;
  height: number;
  theme: ThemeTokens;
  /** The series that are not drawn, by their places in the legend. */
  hiddenSeries?: number[];
}

export type Drawing = Reading & Image;

export type CardReading = Reading & { image?: Image | undefined };
export type ReadCard = CardData & { image?: string };

/** Which of the values of a filter: texts that contain `search`, from the one after `offset` others. */
export interface ValuesPage {
  search?: string;
  offset?: number;
  limit: number;
}

/** How a page reads the rows of its cards: as a signed-in person, or with the token of a link. */
export interface Access {
  /** With `image`, also a picture of the rows. */
  readCard(cardId: string, reading: CardReading): Promise<ReadCard>;
  /** How many cards are read at the same time; fewer if it does not say. */
  atOnce?: number;
  /** The picture as SVG. */
  drawCard(cardId: string, drawing: Drawing): Promise<string>;
  /** The values that the filter can take. */
  readValues(filter: Filter, page: ValuesPage): Promise<{ values: unknown[]; truncated: boolean }>;
  /** Absent for readers of links: the glossary is for members. */
  terms?: Terms;
  /** Returns true if the error ends the access, which the page then shows in place of its cards. */
  ends(error: unknown): boolean;
}
