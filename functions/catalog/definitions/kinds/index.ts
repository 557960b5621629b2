import type { DefinitionKind } from './kind.ts';
import { query } from './query.ts';
import { theme } from './theme.ts';

/** Every kind of object that a team can keep as files, in the order in which they refer to each other. */
export const KINDS: readonly DefinitionKind[] = [query, theme];

export const KIND_NAMES = KINDS.map(({ kind }) => kind);

export const kindOf = (name: string): DefinitionKind => KINDS.find(({ kind }) => kind === name)!;
