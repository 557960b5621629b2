/** The public API of this domain; everything else is internal. */
export {
  type BlockCard,
  type BlockCardDeps,
  type BlockSection,
  blockCard,
  type DashboardOfCard,
  dashboardsOnce,
} from './block-card.ts';
export { BlockData } from './block-data.ts';
export { type BlockRowsDeps, blockRows } from './block-rows.ts';
export { inlineValues, type ShowValue, type ValueReader } from './inline-values.ts';
export { liveValues, metricShown } from './live-values.ts';
export { missingBlock } from './missing-block.ts';
export { ShownInlineValue } from './shown-value.ts';
export { valueSources } from './value-sources.ts';
