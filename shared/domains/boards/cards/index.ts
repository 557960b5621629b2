/** The public API of this domain; everything else is internal. */
export { CardData, CardResult, CardSummary, rowsProperties } from './card-data.ts';
export { fieldsOf, pageOfChoices } from './card-fields.ts';
export { filtersFor, isLinked } from './card-filters.ts';
export { lookOf } from './card-look.ts';
export { hasRows, namedCard, queryOf } from './card-query.ts';
export {
  appliedFilters,
  type CardDeps,
  type CardRows,
  LIVE_CARD_MAX_AGE_SECONDS,
  type Reading,
  rowsOf,
} from './card-rows.ts';
export { hashOf, subjectOf, summaryFor } from './card-summary.ts';
export { cardTimezone } from './card-timezone.ts';
export { withDefaults } from './default-filters.ts';
export { type DrawDeps, drawCardRows, imageBeside } from './draw-card.ts';
export { cardDrawings, type Drawings } from './drawings.ts';
export { nextLevels } from './drill.ts';
export { drilledLook } from './drilled-look.ts';
export { filtersInForce } from './filters-in-force.ts';
export { withMapWarnings } from './map-warnings.ts';
export { readEach } from './read-each.ts';
export { readable } from './readable.ts';
export {
  CardFilter,
  CardImage,
  CardSelection,
  drawingProperties,
  ReadCard,
  readingProperties,
  wantedProperties,
} from './schemas.ts';
export { cardOf, seenParts, wantedCards } from './seen-cards.ts';
export { numbersBeyond, unknownNumbers } from './unknown-numbers.ts';
