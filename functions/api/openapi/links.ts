const idOfBody = { id: '$response.body#/id' };

/** What can be done next with the attestation in an answer. */
export const attestationLinks = {
  getAttestation: {
    operationId: 'getAttestation',
    parameters: idOfBody,
    description: 'Poll it until it is `confirmed` or `failed`.',
  },
  linkChild: {
    operationId: 'linkChild',
    parameters: idOfBody,
    description: 'Once it is `confirmed`, link it to a newer one.',
  },
};

export const listLinks = {
  getAttestation: {
    operationId: 'getAttestation',
    parameters: { id: '$response.body#/attestations/0/id' },
    description: 'The newest of the list.',
  },
};
