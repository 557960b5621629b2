/** The public API of this domain; everything else is internal. */
export { lookOf } from './card-look.ts';
export { appliedFilters, type CardDeps, type CardRows, hasRows, queryOf, type Reading, rowsOf } from './card-rows.ts';
export { CardFilter, ReadCard, readingProperties } from './schemas.ts';
export { cardOf, linkedFilters, seenParts, wantedCards } from './seen-cards.ts';
