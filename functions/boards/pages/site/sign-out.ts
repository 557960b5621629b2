import { byId } from '../../browser/dom.ts';
import { endSession } from './api.ts';

export function offerSignOut(): void {
  const signOut = byId<HTMLButtonElement>('sign-out');
  if (!signOut) return;
  signOut.hidden = false;
  signOut.addEventListener('click', async () => {
    await endSession();
    location.assign('/api/sign-in');
  });
}
