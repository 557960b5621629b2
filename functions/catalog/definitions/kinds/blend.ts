import * as Type from 'typebox';
import {
  BlendKeyInput,
  blendAlias,
  blendDescription,
  blendName,
} from '../../../../shared/domains/semantics/blends/index.ts';
import { canonicalTimezone } from '../../../../shared/domains/semantics/queries/index.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { Id } from '../../../../shared/platform/http/schemas.ts';
import type { DefinitionKind, Members } from './kind.ts';

const KEY_MEMBERS = Object.keys(BlendKeyInput.properties);

/** The tables are named by their models; access is in no file, and stays. */
export const blend: DefinitionKind = {
  kind: 'blend',
  isWholeInLists: true,
  members: Type.Object({
    name: blendName,
    description: { ...blendDescription, default: null },
    leftTableId: Id,
    leftAlias: blendAlias,
    rightTableId: Id,
    rightAlias: blendAlias,
    keys: Type.Array(BlendKeyInput, { minItems: 1, maxItems: 5 }),
  }),
  references: {},
  symbols: {
    kinds: { model: 'model' },
    inTexts: [],
    sources: async ({ leftModelId, rightModelId }) =>
      [leftModelId, rightModelId].map((id) => ({ kind: 'model', id: id as string })),
  },
  fold: (file) => (Array.isArray(file.keys) ? { ...file, keys: file.keys.map(withZone) } : file),
  show: ({ keys, ...others }) => ({ ...others, keys: (keys as Members[]).map(ofFile) }),
};

const ofFile = (key: Members): Members =>
  Object.fromEntries(Object.entries(key).filter(([name]) => KEY_MEMBERS.includes(name)));

/** The operation stores a time zone by its usual name. It reports one that does not exist. */
function withZone(key: Members): Members {
  if (typeof key.timezone !== 'string') return key;
  try {
    return { ...key, timezone: canonicalTimezone(key.timezone) };
  } catch (error) {
    if (error instanceof AppError) return key;
    throw error;
  }
}
