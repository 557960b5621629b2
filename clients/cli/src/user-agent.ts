export const USER_AGENT = 'analytics-cli/0.1';
