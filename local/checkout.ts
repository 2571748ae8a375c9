import { fileURLToPath } from 'node:url';

/** The root of this checkout, without a slash at its end. */
export const checkout = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

/** Directory of the checkout's own tools, Node 24 among them. */
export const toolsPath = `${checkout}/node_modules/.bin`;

/** A PATH with the checkout's tools before all others. */
export const searchPath = `${toolsPath}:${process.env.PATH ?? ''}`;
