import type { TObject, TProperties } from 'typebox';
import * as Type from 'typebox';
import { Id } from '../../../platform/http/schemas.ts';

/** A declared event: when it happens, as the end of a sentence "Sent when …", and the shape of its `data`. */
export interface EventDeclaration<P extends TProperties = TProperties> {
  when: string;
  data: TObject<P & { workspaceId: typeof Id }>;
}

/**
 * Declares an event. Its `data` is small: ids, names, status and a link. Receivers read more from the API, with their
 * own rights.
 */
export function defineEvent<P extends TProperties>(when: string, data: P): EventDeclaration<P> {
  return { when, data: Type.Object({ workspaceId: Id, ...data }) };
}

export const Link = Type.String({ pattern: '^/api/', description: 'The path in the API of the subject of the event.' });
