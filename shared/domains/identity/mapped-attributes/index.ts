/** The public API of this domain; everything else is internal. */
export { attributesOf, type MappedAttributes, mappedAttributes, withMapped } from './read-attributes.ts';
export type { ScimAttributes, ScimMapping, ScimPlace } from './records.ts';
export { readScimAttributes, replaceScimAttributes } from './scim-mappings.ts';
export { attributeValue, scimAttributes } from './values.ts';
