/** Transactions and signatures by which an authority delegates, for commands and pages. */
export {
  type AuthorityLink,
  authorityLink,
  parseAuthorityLink,
  tryParseAddress,
} from './delegation/authority-link.ts';
export * from './delegation/read-delegation.ts';
export * from './delegation/registry-call.ts';
export * from './delegation/signed-delegation.ts';
