import { expect } from 'vitest';
import { type Key, workspaceKey } from '../../../shared/platform/storage/keys.ts';
import type { Api } from '../api.ts';

export const TERMS = '/api/catalog/terms';

export interface GivenTerm {
  id: string;
  path: string;
}

/** A term of the glossary, made by the owner of the workspace. */
export async function givenTerm(api: Api, name: string, more: object = {}): Promise<GivenTerm> {
  const made = await api.as('owner').post(TERMS, { name, definition: `What ${name} means`, ...more });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return { id: made.body.id, path: `${TERMS}/${made.body.id}` };
}

/** Where the numbers of its relations and links are stored. */
export const usesOf = ({ workspaceId }: Api, { id }: GivenTerm): Key => workspaceKey(workspaceId, `TERM#${id}`, 'USES');
