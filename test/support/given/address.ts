import { randomInt } from 'node:crypto';

/** A loopback address of this test alone: failed sign-ins are counted by address. */
export const newAddress = () => `127.${randomInt(1, 255)}.${randomInt(0, 255)}.${randomInt(1, 255)}`;
