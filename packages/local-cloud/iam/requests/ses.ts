import type { Requirements } from '../../core/access/authorizer.ts';
import { arnOf } from './place.ts';

interface Input {
  FromEmailAddress?: string;
}

/** Every domain is verified, so the identity that sends is the domain of the sender. */
export const sesRequests: Requirements = (operation, { FromEmailAddress = '' }: Input, place) => {
  const domain = /@([^@>\s]*)>?\s*$/.exec(FromEmailAddress)?.[1] ?? '';
  return [{ action: `ses:${operation}`, resource: arnOf('ses', place, `identity/${domain.toLowerCase()}`) }];
};
