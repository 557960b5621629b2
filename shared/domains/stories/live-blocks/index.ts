/** The public API of this domain; everything else is internal. */
export { type BlockCard, type BlockCardDeps, blockCard, type DashboardOfCard } from './block-card.ts';
export { BlockData } from './block-data.ts';
export { type BlockRowsDeps, blockRows } from './block-rows.ts';
