import * as Type from 'typebox';
import { BlockId } from '../../../shared/data/rich-text/index.ts';
import { VIEWS } from '../../../shared/domains/stories/stories/index.ts';
import { idParams, StringEnum } from '../../../shared/platform/http/schemas.ts';

export const BlockParams = Type.Object({
  ...idParams('story').properties,
  blockId: Type.Unsafe<string>({ ...BlockId, description: 'The id of the live block.' }),
});

export const BlockQuery = Type.Object({
  view: Type.Optional(
    StringEnum(VIEWS, {
      description:
        'The state of the story that the block is part of; defaults to the draft for callers who can see it. Other callers always get the published version.',
    }),
  ),
});
