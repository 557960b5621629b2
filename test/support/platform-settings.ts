import { localDefaults, type Settings, settings } from '../../infra/settings.ts';

/** The settings of `npm start` on a free port, and others where a test names them. */
export const platformSettings = (others: Record<string, string> = {}): Settings =>
  settings({ ...localDefaults(0), ...process.env, ...others });
