/** The public API of this domain; everything else is internal. */
export { type CheckDeps, checkDefinition, definitionChecks, validDefinition } from './check-definition.ts';
export {
  type ColumnsAnswer,
  type ColumnsRequest,
  type DefinitionEngine,
  type DefinitionRequest,
  definitionEngine,
  type LineageAnswer,
  type LineageRequest,
  type PortableAnswer,
  type PortableRequest,
} from './definition-engine.ts';
