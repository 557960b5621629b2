/** The only way to files: a change of the address would ask about unsaved forms. */
export { saveBlob, saveFile, saveLink } from '../../../../boards/browser/save-file.ts';
