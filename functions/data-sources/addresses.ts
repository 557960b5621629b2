/** Throws `ADDRESS_BLOCKED` when connections to the host are not allowed from here. */
export type CheckAddress = (host: string) => Promise<void>;
