import type {
  Bookmark,
  CardRecord,
  Counts,
  DashboardBody,
  FilterRecord,
  GATE_CODES,
  PageRecord,
  STAGES,
} from './schemas.ts';

export type { Bookmark, CardRecord, Counts, DashboardBody, FilterRecord, PageRecord };

/** What lists and readers need to know of the published version. */
export interface Published {
  version: number;
  at: string;
  by: string;
  name: string;
  description: string;
  counts: Counts;
  /** The number of edits of the parts until then, to recognise later ones. */
  edits: number;
  /** Tells versions apart that show other numbers, not those with other titles or places. */
  meaning: string;
}

/** A dashboard as stored, without its texts and its parts. */
export interface DashboardRecord {
  id: string;
  workspaceId: string;
  name: string;
  description: string;
  ownerId: string;
  stage: (typeof STAGES)[number];
  isPublished: boolean;
  /** The newest version; it stays when the dashboard is withdrawn. */
  published: Published | null;
  /** Whether name, description or texts have changed since. */
  hasOwnChanges: boolean;
  /** The request that published the newest version, so that its repetition makes no other one. */
  publishRequest?: string | undefined;
  deletedAt: string | null;
  deletedBy: string | null;
  createdBy: string;
  updatedBy: string;
  createdAt: string;
  updatedAt: string;
  revision: number;
}

export interface Parts {
  pages: PageRecord;
  cards: CardRecord;
  filters: FilterRecord;
}
export type PartKind = keyof Parts;
export const PART_KINDS = ['pages', 'cards', 'filters'] as const satisfies readonly PartKind[];

/** The parts of a dashboard, in their order. An edit makes other lists and leaves these as they are. */
export type DashboardParts = { readonly [K in PartKind]: readonly Parts[K][] };

/** The list of the parts, which decides what belongs to the dashboard and in which order. */
export interface Content {
  /** Where the items of the parts are; a restored version has another one. */
  generation: string;
  /** The number of changes of the lists. */
  structure: number;
  /** The number of changes of lists and parts. */
  edits: number;
  bytes: number;
  pages: readonly string[];
  cards: readonly string[];
  filters: readonly string[];
  changedAt: string;
  changedBy: string;
}

/** A dashboard as its editors see it. */
export interface DashboardState extends DashboardParts {
  readonly record: DashboardRecord;
  readonly body: DashboardBody;
  readonly content: Content;
}

/** Whether the draft differs from the newest version, or there is none. */
export const hasUnpublishedChanges = ({ published, hasOwnChanges }: DashboardRecord, { edits }: Content): boolean =>
  published === null || hasOwnChanges || edits !== published.edits;

export const countsOf = ({ pages, cards, filters }: Record<PartKind, readonly unknown[]>): Counts => ({
  pages: pages.length,
  cards: cards.length,
  filters: filters.length,
});

/** Why a dashboard should not be published yet. */
export interface DashboardGateReason {
  code: (typeof GATE_CODES)[number];
  message: string;
  cardId: string;
  cardTitle: string;
}

/** A published state of a dashboard. */
export interface DashboardVersion {
  version: number;
  name: string;
  publishedBy: string;
  publishedAt: string;
  changeNote: string | null;
  gate: { passed: boolean; overridden: boolean; reasons: DashboardGateReason[] };
  overrideReason: string | null;
  counts: Counts;
}

/** What a version preserves. */
export interface Snapshot extends DashboardParts, DashboardBody {
  name: string;
  description: string;
}
