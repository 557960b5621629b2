/** A part of the page that people comment on. */
export interface DiscussedPart {
  id: string;
  /** What it is called in labels; undefined for a part without a title. */
  title: string | undefined;
  element: HTMLElement;
}

export type Decision = 'accept' | 'reject';
export type Decide = (sectionId: string, commentId: string, decision: Decision) => Promise<unknown>;

/** What the comments on a page are about. */
export interface Discussed {
  type: 'dashboard' | 'story';
  id: string;
  /** What it consists of. */
  part: 'card' | 'section';
  /** Whether the reader may delete the comments of others. */
  mayModerate: boolean;
  /** Accepts or rejects a suggestion; undefined for readers who may not. */
  decide?: Decide | undefined;
  /** Whether the button to follow it is beside its title; otherwise it is in the panel. */
  isFollowedInLead: boolean;
  /** What a thread says of a part that is not on the page. */
  elsewhere: string;
  /** The parts on the page. */
  parts(): DiscussedPart[];
}
