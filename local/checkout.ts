import { fileURLToPath } from 'node:url';

/** Root of this checkout, without a trailing slash. */
export const checkout = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

/** Directory of the checkout's own tools, including Node 24. */
export const toolsPath = `${checkout}/node_modules/.bin`;

export const searchPath = `${toolsPath}:${process.env.PATH ?? ''}`;
