import Type, { type TObject, type TProperties } from 'typebox';
import { Id } from '../../platform/http/schemas.ts';

/** An event as declared: when it happens, in words that continue "sent when …", and the shape of its `data`. */
export interface EventDeclaration<P extends TProperties = TProperties> {
  when: string;
  data: TObject<P & { workspaceId: typeof Id }>;
}

/** `data` is thin: ids, names, status, a link; whoever needs more asks the API, with rights of their own. */
export function defineEvent<P extends TProperties>(when: string, data: P): EventDeclaration<P> {
  return { when, data: Type.Object({ workspaceId: Id, ...data }) };
}

/** Path in the API of what the event is about. */
export const Link = Type.String({ pattern: '^/api/', description: 'Path in the API of what the event is about.' });
