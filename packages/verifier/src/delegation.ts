/** What an authority sends and signs to delegate, for commands and pages. */
export {
  type AuthorityLink,
  authorityLink,
  parseAuthorityLink,
  tryParseAddress,
} from './delegation/authority-link.ts';
export * from './delegation/read-delegation.ts';
export * from './delegation/registry-call.ts';
export * from './delegation/signed-delegation.ts';
