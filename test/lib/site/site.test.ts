import { Match } from 'aws-cdk-lib/assertions';
import { buildPages } from 'imprimatur-pages';
import { expect, test } from 'vitest';
import { referenceOf, synthesize } from '../synthesize.ts';

const pages = buildPages();
const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/abc';
const template = synthesize({ hosting: { site: {} } });

const distribution = (of = template) => {
  const [found] = Object.values(of.findResources('AWS::CloudFront::Distribution'));
  return found?.Properties.DistributionConfig;
};

test('the site exists only if the environment has one', () => {
  const without = synthesize();
  for (const type of ['AWS::CloudFront::Distribution', 'AWS::S3::Bucket', 'Custom::CDKBucketDeployment'])
    without.resourceCountIs(type, 0);
});

test('only the distribution can read the bucket of the pages', () => {
  template.hasResourceProperties('AWS::S3::Bucket', {
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    },
  });
  const [policy] = Object.values(template.findResources('AWS::S3::BucketPolicy'));
  const allowed = policy?.Properties.PolicyDocument.Statement.filter(
    ({ Effect }: { Effect: string }) => Effect === 'Allow',
  );
  expect(allowed).toEqual([
    expect.objectContaining({
      Action: 's3:GetObject',
      Principal: { Service: 'cloudfront.amazonaws.com' },
      Condition: { StringEquals: { 'AWS:SourceArn': expect.anything() } },
    }),
  ]);
  template.hasResourceProperties('AWS::CloudFront::OriginAccessControl', {
    OriginAccessControlConfig: { OriginAccessControlOriginType: 's3', SigningBehavior: 'always' },
  });
});

test('the site redirects to https, and its root is the page for readers', () => {
  const { DefaultRootObject, DefaultCacheBehavior, CacheBehaviors = [] } = distribution();
  expect(DefaultRootObject).toBe('reader.html');
  for (const { ViewerProtocolPolicy } of [DefaultCacheBehavior, ...CacheBehaviors])
    expect(ViewerProtocolPolicy).toBe('redirect-to-https');
});

test('each page has its own content security policy and forbids framing', () => {
  const { DefaultCacheBehavior, CacheBehaviors = [] } = distribution();
  const policies = template.findResources('AWS::CloudFront::ResponseHeadersPolicy');
  const served = [DefaultCacheBehavior, ...CacheBehaviors].map(
    ({ PathPattern = '/reader.html', ResponseHeadersPolicyId }) => {
      const { SecurityHeadersConfig: headers } =
        policies[referenceOf(ResponseHeadersPolicyId)]?.Properties.ResponseHeadersPolicyConfig ?? {};
      return [PathPattern, headers.ContentSecurityPolicy.ContentSecurityPolicy];
    },
  );
  const wanted = pages.map(({ name, policy }) => [`/${name}.html`, `${policy}; frame-ancestors 'none'`]);
  expect(served).toEqual(wanted);
});

test('each page has the other security headers', () => {
  template.allResourcesProperties('AWS::CloudFront::ResponseHeadersPolicy', {
    ResponseHeadersPolicyConfig: Match.objectLike({
      SecurityHeadersConfig: Match.objectLike({
        StrictTransportSecurity: {
          AccessControlMaxAgeSec: 31_536_000,
          IncludeSubdomains: false,
          Override: true,
        },
        ContentTypeOptions: { Override: true },
        FrameOptions: { FrameOption: 'DENY', Override: true },
        ReferrerPolicy: { ReferrerPolicy: 'no-referrer', Override: true },
      }),
    }),
  });
});

test('a deployment uploads every page and invalidates the caches', () => {
  template.hasResourceProperties('Custom::CDKBucketDeployment', {
    SourceObjectKeys: pages.map(() => Match.anyValue()),
    DistributionId: Match.anyValue(),
  });
});

test("functions of the API allow the site's origin, and the site's console names the API", () => {
  const named = synthesize({ hosting: { site: { domainName: 'check.example.org', certificateArn } } });
  const origins = Object.values(named.findResources('AWS::Lambda::Function')).flatMap(
    ({ Properties: { Environment } }) =>
      JSON.stringify(Environment?.Variables.SETTINGS ?? '').includes('check.example.org') ? 1 : [],
  );
  expect(origins.length).toBeGreaterThan(5);
  const deployments = JSON.stringify(template.findResources('Custom::CDKBucketDeployment'));
  expect(deployments).toMatch(/"SourceMarkers":.*"Ref":"ApiF/);
});

test("the output `SiteUrl` has the site's own domain if there is one", () => {
  expect(JSON.stringify(template.findOutputs('SiteUrl'))).toContain('DomainName');
  const named = synthesize({ hosting: { site: { domainName: 'check.example.org', certificateArn } } });
  expect(named.findOutputs('SiteUrl')).toMatchObject({ SiteUrl: { Value: 'https://check.example.org/' } });
  expect(distribution(named)).toMatchObject({
    Aliases: ['check.example.org'],
    ViewerCertificate: { AcmCertificateArn: certificateArn, MinimumProtocolVersion: 'TLSv1.2_2021' },
  });
});
