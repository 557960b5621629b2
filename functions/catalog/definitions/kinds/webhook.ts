import * as Type from 'typebox';
import { WEBHOOK_KINDS } from '../../../../shared/domains/events/webhooks/index.ts';
import { Name, StringEnum } from '../../../../shared/platform/http/schemas.ts';
import type { DefinitionKind } from './kind.ts';

/** The values of headers and the secret are in no file, and stay as they are. */
export const webhook: DefinitionKind = {
  kind: 'webhook',
  members: Type.Object({
    name: Name,
    kind: StringEnum(WEBHOOK_KINDS),
    url: Type.String({ minLength: 1, maxLength: 2048 }),
    events: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100, uniqueItems: true }),
    enabled: Type.Boolean({ default: true }),
  }),
  references: {},
};
