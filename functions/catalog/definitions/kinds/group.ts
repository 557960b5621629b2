import * as Type from 'typebox';
import { Name } from '../../../../shared/platform/http/schemas.ts';
import type { DefinitionKind } from './kind.ts';

/** Who belongs to a group is in no file. */
export const group: DefinitionKind = {
  kind: 'group',
  members: Type.Object({ name: Name, description: Type.String({ maxLength: 2000, default: '' }) }),
  references: {},
};
