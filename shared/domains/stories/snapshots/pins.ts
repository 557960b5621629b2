import type { ChartSpec } from '../../boards/charts/index.ts';
import type { CardRecord, FilterRecord } from '../../boards/dashboards/index.ts';
import type { BlendRecord } from '../../semantics/blends/index.ts';
import type { MetricRecord } from '../../semantics/metrics/index.ts';
import type { SourcePlace } from '../../semantics/models/index.ts';
import type { SavedQuery } from '../../semantics/saved-queries/index.ts';

/** A version of a dataset that a snapshot keeps. */
export interface PinnedDataset {
  id: string;
  name: string;
  version: number;
}

/**
 * What a question of a story reads, as it was when the story was published: readers with other rights ask the same
 * again over the same versions.
 */
export interface PinnedSource {
  source: ChartSpec['query']['source'];
  /** One, or two for the sides of a blend. */
  reads: readonly PinnedReads[];
  /** None for data sources, whose earlier rows are not kept. */
  datasets: readonly PinnedDataset[];
  saved: SavedQuery | null;
  metric: MetricRecord | null;
  blend: BlendRecord | null;
}

export interface PinnedReads {
  /** A data source, or `datasets`. */
  sourceId: string;
  /** The tables that rights are about; `all` where a statement may read any table of its source. */
  places: readonly SourcePlace[] | 'all';
  modelId: string | null;
}

/** What a reader may see of what a pin reads, as classes: readers of the same class see the same rows and fields. */
export interface PinnedClass {
  /** At this moment: policies with TODAY or NOW show other rows later. */
  now: string;
  /** By the same policies with the same values, whenever they are asked. */
  lasting: string;
}

export interface Pin {
  /** The live block, or the question of inline values; see `blockPinKey` and `metricPinKey`. */
  key: string;
  /** Null if the source could not be resolved. */
  from: PinnedSource | null;
  /** Of live blocks. */
  card: CardRecord | null;
  /** Those of its dashboard. */
  filters: readonly FilterRecord[];
  timezone: string | null;
  theme: string | null;
  /** What the publisher could see. Null if what was stored cannot be shown to others. */
  rightsClass: PinnedClass | null;
  hasStored: boolean;
}

/** What a published story keeps of the data that it shows. */
export interface Pins {
  id: string;
  takenAt: string;
  by: { userId: string; name: string };
  pins: readonly Pin[];
}

export const blockPinKey = (blockId: string): string => `block#${blockId}`;
export const metricPinKey = (source: { metricId: string; asOf?: string; compare?: string }): string =>
  `metric#${JSON.stringify([source.metricId, source.asOf ?? null, source.compare ?? null])}`;
