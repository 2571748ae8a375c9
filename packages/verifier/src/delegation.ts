/** What an authority sends and signs to delegate, for commands and pages. */
export { addressIn } from './delegation/address.ts';
export { type AuthorityLink, authorityLink, parseAuthorityLink } from './delegation/authority-link.ts';
export {
  ChainOtherError,
  type DelegationQuery,
  type DelegationState,
  RegistryMissingError,
  readDelegation,
} from './delegation/read-delegation.ts';
export {
  castLine,
  type DelegationIntent,
  delegationCall,
  type RegistryCall,
  revocationCall,
  signedCall,
} from './delegation/registry-call.ts';
export {
  delegationTypedData,
  formatSignedDelegation,
  parseSignedDelegation,
  type SignedDelegation,
  SignedDelegationInvalidError,
} from './delegation/signed-delegation.ts';
