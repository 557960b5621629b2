/** The public API of this domain; everything else is internal. */
export { fitsType, type TypedArguments, typedArguments } from './arguments.ts';
export { expandFlowlet, expandUse, type FindFlowlet } from './expand.ts';
export {
  type Argument,
  Flowlet,
  FlowletArguments,
  type FlowletContent,
  FlowletInstance,
  flowletContent,
  SaveFlowlet,
} from './record.ts';
export { type FlowletRepository, findFlowlet, flowletRepository } from './repository.ts';
