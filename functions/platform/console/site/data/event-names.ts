/** The build fills it from the catalogue of events: what webhooks can subscribe to, and when each is sent. */
export const eventNames: Readonly<Record<string, string>> = {};
