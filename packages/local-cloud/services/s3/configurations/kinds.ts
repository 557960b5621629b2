/** The names of stored bucket configurations. */
export const CORS = 'cors';
export const ENCRYPTION = 'encryption';
export const LIFECYCLE = 'lifecycle';
export const LOGGING = 'logging';
export const NOTIFICATION = 'notification';
export const OWNERSHIP_CONTROLS = 'ownershipControls';
export const POLICY = 'policy';
export const PUBLIC_ACCESS_BLOCK = 'publicAccessBlock';
export const TAGGING = 'tagging';
