/** What chance alone would not find: a chain that is served, and attestations that can be linked. */
export interface KnownValues {
  readonly chainId: number;
  readonly attestationIds: readonly string[];
}

/**
 * The configuration of schemathesis, as TOML. The key is read from the environment, so that no file and no list of
 * processes shows it.
 */
export function configuration({ chainId, attestationIds }: KnownValues): string {
  // A JSON string, number or list of them is one of TOML too.
  const ids = JSON.stringify(attestationIds);
  return `continue-on-failure = true
request-timeout = 60

[auth.openapi.bearer]
bearer = "\${IMPRIMATUR_API_KEY}"

[auth.openapi.apiKey]
api_key = "\${IMPRIMATUR_API_KEY}"

# No document can say that two ids must differ: linking an attestation to itself is a 400.
[[operations]]
include-operation-id = "linkChild"
checks.positive_data_acceptance.expected-statuses = ["2xx", "400", "404", "409", "429"]

[dictionaries.chains]
values = [${chainId}]

[dictionaries.attestations]
values = ${ids}

[parameters]
"body.chainId" = { dictionary = "chains", probability = 0.7 }
"path.id" = { dictionary = "attestations", probability = 0.5 }
"body.childAttestationId" = { dictionary = "attestations", probability = 0.5 }

[generation]
database = "none"
no-shrink = true
max-examples = 50
`;
}
