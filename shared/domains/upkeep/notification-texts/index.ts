import type { NotificationTexts } from '../../delivery/notifications/index.ts';

/** Every domain whose notifications show texts as they are now. */
export const NOTIFICATION_TEXTS: readonly NotificationTexts[] = [];
