/** What can be inserted into a text beside what is typed. */
export const INSERTABLE = {
  card: 'Card of a dashboard',
  chart: 'Chart of your own',
  value: 'Number that follows the data',
  image: 'Link to an image',
} as const;
export type InsertKind = keyof typeof INSERTABLE;

/** A node of the text, with its attributes except the id. */
export interface Insertion {
  type: 'liveBlock' | 'value' | 'image';
  attrs: Record<string, unknown>;
}

/** A live block of the text that is being written. */
export interface NearBlock {
  id: string;
  title: string;
}

export interface InsertProps {
  storyId: string;
  /** The live blocks of the section. */
  blocks: readonly NearBlock[];
  /** With what was chosen, or nothing. */
  close(insertion?: Insertion): void;
}
