/** The public API of this domain; everything else is internal. */
export { ASSET_KINDS, type VisibleAsset } from './visible-assets.ts';
