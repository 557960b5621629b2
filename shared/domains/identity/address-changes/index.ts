/** The public API of this domain; everything else is internal. */
export { newAddressToken, parseAddressToken } from './address-token.ts';
export { type AddressNotice, type AddressNotices, addressNotices, CONFIRMATION_DAYS, isOpen } from './notices.ts';
