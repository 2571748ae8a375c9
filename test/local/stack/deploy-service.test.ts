import { expect, test } from 'vitest';
import { accountVariables } from '../../../local/stack/deploy-service.ts';

test('`accountVariables` returns only variables for AWS, proxies and CA certificates', () => {
  const passed = {
    ...{ AWS_PROFILE: 'staging', AWS_REGION: 'eu-west-1' },
    ...{ https_proxy: 'http://proxy.example', NO_PROXY: 'localhost', NODE_EXTRA_CA_CERTS: '/ca.pem' },
  };
  expect(accountVariables('us-east-1', { ...passed, SECRET_OF_THE_USER: 'x' })).toEqual({
    ...passed,
    AWS_REGION: 'us-east-1',
  });
});
