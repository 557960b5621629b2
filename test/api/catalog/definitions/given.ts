import { expect } from 'vitest';
import type { Actor, Api } from '../../../support/api.ts';
import type { Reply } from '../../../support/conformance.ts';

export const PROJECT = { project: 'shop', path: 'queries/orders.yaml' };

type As = Actor | { token: string };

/** Sends files as the actor. */
export function files(api: Api, as: As = 'editor') {
  const path = (kind: string, key: string, query = '') => `/api/definitions/${kind}/${key}${query && `?${query}`}`;
  const caller = api.as(as);
  const put = (
    kind: string,
    key: string,
    yaml: string,
    query = '',
    managedBy: object | null = PROJECT,
  ): Promise<Reply> => caller.put(path(kind, key, query), { yaml, ...(managedBy && { managedBy }) });
  return {
    put,
    read: (kind: string, key: string) => caller.get(path(kind, key)),
    async text(kind: string, key: string): Promise<string> {
      const reply = await caller.get(path(kind, key), { headers: { accept: 'application/yaml' } });
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      return reply.body;
    },
    async deploy(kind: string, key: string, yaml: string, query = '') {
      const reply = await put(kind, key, yaml, query);
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      return reply.body;
    },
    delete: (kind: string, key: string, query = '') => caller.delete(path(kind, key, query)),
    async list(query = '') {
      const reply = await caller.get(`/api/definitions?${query}`);
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      return reply.body;
    },
  };
}

export const posted = async (api: Api, path: string, body: object) => {
  const reply = await api.as('owner').post(path, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body;
};
