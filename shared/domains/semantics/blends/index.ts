/** The public API of this domain; everything else is internal. */
export { answerBlendQuestion, type BlendQuestion, compileBlendQuestion } from './blend-question.ts';
export { checkBlend, type KeyCheck } from './check-blend.ts';
export { blendFunction, type RunBlend } from './client.ts';
export type { BlendDeps } from './deps.ts';
export {
  type BlendColumn,
  type BlendCommand,
  type BlendResult,
  executeBlend,
} from './execute-blend.ts';
export { comparedKeys, type KeyIssue, keyError } from './keys.ts';
export { type BlendAnswer, type BlendReply, type BlendRequest, SIDE_LIMITS } from './protocol.ts';
export {
  BlendKeyInput,
  type BlendRecord,
  blendAlias,
  blendDescription,
  blendName,
  blendRecord,
  type StoredKey,
} from './records.ts';
export { type BlendRepository, blendRepository } from './repository.ts';
export { fieldNamed } from './side-statement.ts';
export { definitionsOf, fieldOfKey, fieldsOfBlend, type SideTable, sideOf } from './sides.ts';
export { BLEND_WARNINGS } from './warnings.ts';
