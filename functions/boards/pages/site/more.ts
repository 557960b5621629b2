/**
 * What the pages of members load when it is needed. The page passes what both share: another copy of the sign-in
 * would renew it twice.
 */

export { placesOf } from '../../browser/link-places.ts';
export { showAlertForm } from './more/alert-form.ts';
export { fillBookmarks } from './more/bookmark-menu.ts';
export { searchOpener } from './more/search-dialog.ts';
export { showShareForm } from './more/share-form.ts';
export { showSubscribeForm } from './more/subscribe-form.ts';
