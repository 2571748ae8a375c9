import {
  findOrganization,
  listOrganizations,
  type Organization,
} from '../../functions/domain/organization/organization.ts';
import type { Records } from '../../functions/domain/records.ts';
import { OrganizationAmbiguousError, OrganizationUnknownError } from '../terminal/errors.ts';
import { isUuid } from './arguments.ts';

/**
 * Finds the organisation with that id, or the only one of that name.
 *
 * @throws OrganizationMissingError, OrganizationUnknownError, OrganizationAmbiguousError
 */
export async function namedOrganization(records: Records, text: string): Promise<Organization> {
  if (isUuid(text)) return findOrganization(records, text.toLowerCase());
  const named = (await listOrganizations(records)).filter(({ name }) => name === text);
  const [only] = named;
  if (!only) throw new OrganizationUnknownError(text);
  if (named.length > 1) throw new OrganizationAmbiguousError(text, named);
  return only;
}
