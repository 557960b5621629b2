import {
  type AddressNotices,
  isOpen,
  parseAddressToken,
} from '../../../../shared/domains/identity/address-changes/index.ts';
import { isTrustedAddress } from '../../../../shared/domains/tenancy/workspaces/index.ts';
import type { Principal } from '../../../../shared/platform/auth/principal.ts';
import { AppError } from '../../../../shared/platform/errors/app-error.ts';
import { onNewest } from '../../../../shared/platform/storage/on-newest.ts';
import { isSameAddress } from '../../../../shared/platform/text/email-address.ts';
import type { AuthRepository } from '../repository.ts';
import { requireOpenSession } from './sessions.ts';

interface Deps {
  accounts: AuthRepository;
  notices: AddressNotices;
  now: () => Date;
}

/** In a sign-in. The caller names the address, so that it is the one that the person has seen. */
export async function confirmEmail({ accounts, now }: Deps, principal: Principal, email: string): Promise<void> {
  await onNewest('STALE_WRITE', async () => {
    const user = await requireOpenSession(accounts, principal);
    if (!isSameAddress(user.email, email)) {
      throw new AppError('VALIDATION_FAILED', {
        errors: [{ pointer: '/email', code: 'OTHER_ADDRESS', message: 'must be the current address of the account' }],
      });
    }
    if (isTrustedAddress(user)) return;
    if (!(await accounts.confirmAddress(user, now()))) throw new AppError('STALE_WRITE');
  });
}

/** By the mail to the address before. Throws `INVALID_EMAIL_TOKEN`. */
export async function confirmEmailByMail({ accounts, notices, now }: Deps, given: string): Promise<void> {
  const token = parseAddressToken(given);
  if (!token) throw new AppError('INVALID_EMAIL_TOKEN');
  await onNewest('STALE_WRITE', async () => {
    const [user, notice] = await Promise.all([accounts.user(token.userId), notices.get(token)]);
    const isValid = user?.active && notice?.digest === token.digest && isOpen(notice, user, now());
    if (!isValid) throw new AppError('INVALID_EMAIL_TOKEN');
    if (!(await accounts.confirmAddress(user, now()))) throw new AppError('STALE_WRITE');
  });
}
