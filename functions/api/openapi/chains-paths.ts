import * as examples from './examples.ts';
import { answer, keyedResponses } from './responses.ts';

const chainsOperation = {
  operationId: 'listChains',
  tags: ['Chains'],
  summary: 'List chains',
  description:
    "Lists the chains served, each with the registry, the address to delegate to and whether the organization's " +
    'authority has delegated to it.',
  responses: {
    200: answer({
      description: 'The chains.',
      body: 'ChainList',
      examples: {
        delegated: examples.chainList,
        unreachable: {
          chains: examples.chainList.chains.map((chain) => ({ ...chain, delegationActive: null })),
        },
      },
    }),
    ...keyedResponses,
  },
};

export const chainsPaths = { '/v1/chains': { get: chainsOperation } };
