const letters = 'A-Za-z\\u00C0-\\u024F';

/** Ends with a letter, for a last label that is a number would make it an IPv4 address, or nothing at all. */
const name = `[${letters}0-9_.-]*[${letters}]\\.?`;

/**
 * What a URL usually looks like, as a regular expression for JSON Schema. The URL standard's parser decides: it takes
 * what this matches and more (hosts in other scripts, addresses), which no expression of readable length could say.
 */
export const urlPattern = `^[Hh][Tt][Tt][Pp][Ss]?://(?:[^/?#\\\\@]*@)?${name}(?::[1-5]?[0-9]{1,4})?(?:[/?#][\\s\\S]*)?$`;
